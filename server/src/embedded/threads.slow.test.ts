import type { mongo } from 'mongoose'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Row } from './testing/on-every-server.ts'
import { openTestDatabase, type TestDatabase } from './testing/test-database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase({ quickMs: 0 })
})
afterAll(() => database.close())

const db = () => database.connection.getClient().db('test')
const things = (): mongo.Collection<Row> => db().collection<Row>('things')

beforeEach(async () => {
  await things().drop()
})

it('shows each client what it wrote, whichever thread reads', async () => {
  await Promise.all(
    Array.from({ length: 8 }, async (_, client) => {
      const own = db().collection<Row>(`own${client}`)
      for (let n = 0; n < 10; n++) {
        await own.insertOne({ _id: n, n })
        expect(await own.findOne({ _id: n })).toEqual({ _id: n, n })
        if (n === 5) await own.createIndex({ n: 1 })
        expect(await own.countDocuments({ n: { $gte: 0 } })).toBe(n + 1)
      }
      await own.drop()
      expect(await own.findOne({})).toBeNull()
    }),
  )
})

it('fetches the batches of a cursor, until it is killed', async () => {
  await things().insertMany(Array.from({ length: 250 }, (_, n) => ({ _id: n, even: n % 2 === 0 })))
  const found = await things()
    .find({ even: true }, { batchSize: 7, sort: { _id: -1 }, projection: { _id: 1 } })
    .toArray()
  expect(found).toEqual(Array.from({ length: 125 }, (_, n) => ({ _id: 248 - 2 * n })))
  expect(
    await things()
      .aggregate([{ $group: { _id: '$_id' } }])
      .toArray(),
  ).toHaveLength(250)
  const cursor = things().find({}, { batchSize: 7 })
  await cursor.next()
  const { id } = cursor
  if (!id) throw new Error('the cursor is closed')
  expect(await db().command({ killCursors: 'things', cursors: [id] })).toMatchObject({ cursorsKilled: [Number(id)] })
  await expect(db().command({ getMore: id, collection: 'things' })).rejects.toMatchObject({ code: 43 })
  await cursor.close()
})
