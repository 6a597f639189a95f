import type { mongo } from 'mongoose'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Row } from './testing/on-every-server.ts'
import { ENDLESS_REGEX, ENDLESS_TEXT } from './testing/slow-commands.ts'
import { openTestDatabase, type TestDatabase } from './testing/test-database.ts'

// No command is quick here, so that each goes to another thread.
let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase({ quickMs: 0 })
})
afterAll(() => database.close())

function things(): mongo.Collection<Row> {
  return database.connection.getClient().db('test').collection<Row>('things')
}

beforeEach(async () => {
  await things().drop()
})

it('shows each client what it wrote, whichever thread reads', async () => {
  await Promise.all(
    Array.from({ length: 8 }, async (_, client) => {
      const own = database.connection.getClient().db('test').collection<Row>(`own${client}`)
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
  await things().insertMany(Array.from({ length: 50 }, (_, n) => ({ _id: n })))
  expect(await things().find({}, { batchSize: 7 }).toArray()).toHaveLength(50)
  const cursor = things().find({}, { batchSize: 7 })
  await cursor.next()
  const db = database.connection.getClient().db('test')
  const { id } = cursor
  if (!id) throw new Error('the cursor is closed')
  expect(await db.command({ killCursors: 'things', cursors: [id] })).toMatchObject({ cursorsKilled: [Number(id)] })
  await expect(db.command({ getMore: id, collection: 'things' })).rejects.toMatchObject({ code: 43 })
  await cursor.close()
})

const tooSlow = { code: 51156, message: expect.stringMatching(/^A regular expression took longer than 1 s/) }
const pull = { q: {}, u: { $set: { changed: true }, $pull: { texts: ENDLESS_REGEX } } }
const match = { $regexMatch: { input: '$text', regex: ENDLESS_REGEX } }

it.each<[string, () => Promise<unknown>]>([
  ['find', () => things().find({ text: ENDLESS_REGEX }).toArray()],
  ['count', () => things().countDocuments({ text: { $regex: ENDLESS_REGEX.source } })],
  [
    'aggregate',
    () =>
      things()
        .aggregate([{ $project: { match } }])
        .toArray(),
  ],
  ['update', () => things().updateMany({ text: ENDLESS_REGEX }, { $set: { changed: true } })],
  [
    'update with $pull',
    () =>
      database.connection
        .getClient()
        .db('test')
        .command({ update: 'things', updates: [pull] }),
  ],
  ['update with a pipeline', () => things().updateOne({}, [{ $set: { changed: match } }])],
  ['delete', () => things().deleteMany({ text: ENDLESS_REGEX })],
  ['findAndModify', () => things().findOneAndDelete({ texts: { $elemMatch: { $regex: ENDLESS_REGEX } } })],
])('ends a %s whose regular expression does not end, and continues to serve', async (_name, command) => {
  await things().insertMany([{ _id: 1, text: ENDLESS_TEXT, texts: [ENDLESS_TEXT] }])
  await expect(command()).rejects.toMatchObject(tooSlow)
  expect(await things().find().toArray()).toEqual([{ _id: 1, text: ENDLESS_TEXT, texts: [ENDLESS_TEXT] }])
  await things().insertOne({ _id: 2 })
  expect(await things().countDocuments({})).toBe(2)
})

it('ends a transaction whose regular expression does not end; the next one works', async () => {
  await things().insertOne({ _id: 1, text: ENDLESS_TEXT })
  const failing = database.connection.transaction(async (session) => {
    await things().updateOne({ _id: 1 }, { $set: { changed: true } }, { session })
    await things().findOne({ text: ENDLESS_REGEX }, { session })
  })
  await expect(failing).rejects.toMatchObject(tooSlow)
  await database.connection.transaction((session) => things().insertOne({ _id: 2 }, { session }))
  expect(
    await things()
      .find({}, { projection: { text: 0 } })
      .toArray(),
  ).toEqual([{ _id: 1 }, { _id: 2 }])
})
