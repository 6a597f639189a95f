import { createConnection, Schema } from 'mongoose'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { openTestDatabase, type TestDatabase } from './testing/test-database.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await openTestDatabase({ waitMs: 30_000 })
})
afterAll(() => database.close())

const account = new Schema({ name: { type: String, unique: true }, n: Number })

function accounts({ connection } = database) {
  return connection.model('Account', account, undefined, { overwriteModels: true })
}

beforeEach(async () => {
  await accounts().init()
  await accounts().deleteMany({})
  await accounts().create([
    { name: 'a', n: 10 },
    { name: 'b', n: 0 },
  ])
})

async function balance(name: string): Promise<number | undefined> {
  return (await accounts().findOne({ name }).lean())?.n ?? undefined
}

it('commits all of it or nothing', async () => {
  await database.connection.transaction(async (session) => {
    await accounts().updateOne({ name: 'a' }, { $inc: { n: -3 } }, { session })
    await accounts().updateOne({ name: 'b' }, { $inc: { n: 3 } }, { session })
  })
  const failing = database.connection.transaction(async (session) => {
    await accounts().updateOne({ name: 'a' }, { $inc: { n: -5 } }, { session })
    throw new Error('changed my mind')
  })
  await expect(failing).rejects.toThrow('changed my mind')
  expect([await balance('a'), await balance('b')]).toEqual([7, 3])
})

it('sees its own changes, which others do not until it commits', async () => {
  await database.connection.transaction(async (session) => {
    await accounts().create([{ name: 'new', n: 1 }], { session })
    expect(await accounts().countDocuments({}, { session })).toBe(3)
    expect(await accounts().countDocuments({})).toBe(2)
  })
  expect(await accounts().countDocuments({})).toBe(3)
})

it('runs nothing of what was sent along with a statement that ended it', async () => {
  const session = await database.connection.startSession()
  session.startTransaction()
  await accounts().updateOne({ name: 'a' }, { $inc: { n: 1 } }, { session })
  const rows = database.connection.collection('accounts')
  const sent = ['a', 'later', 'latest'].map((name) => rows.insertOne({ name, n: 1 }, { session }))
  const results = await Promise.allSettled(sent)
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  await session.abortTransaction().catch(() => {})
  await session.endSession()
  expect([await balance('a'), await accounts().countDocuments({})]).toEqual([10, 2])
  // The writer is free again.
  await accounts().updateOne({ name: 'b' }, { $inc: { n: 1 } })
})

it('rolls back a collection and an index created in it', async () => {
  const failing = database.connection.transaction(async (session) => {
    await database.connection.collection('fresh').insertOne({ a: 1 }, { session })
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(await database.connection.collection('fresh').countDocuments()).toBe(0)
  // Another collection reuses its table number; the transaction's connection must notice.
  await database.connection.collection('other').insertOne({ a: 2 })
  await database.connection.transaction((session) =>
    database.connection.collection('fresh').insertOne({ a: 3 }, { session }),
  )
  expect(await database.connection.collection('fresh').countDocuments()).toBe(1)
  expect(await database.connection.collection('other').countDocuments()).toBe(1)
})

it('is rolled back when one statement fails', async () => {
  const session = await database.connection.startSession()
  session.startTransaction()
  await accounts().create([{ name: 'c' }], { session })
  await expect(accounts().create([{ name: 'a' }], { session })).rejects.toMatchObject({ code: 11000 })
  await expect(accounts().findOne({}, null, { session })).rejects.toMatchObject({ code: 251 })
  await session.abortTransaction()
  await session.endSession()
  expect(await accounts().countDocuments({ name: 'c' })).toBe(0)
})

it('makes other writes wait for its end', async () => {
  const session = await database.connection.startSession()
  session.startTransaction()
  await accounts().updateOne({ name: 'a' }, { $inc: { n: 1 } }, { session })
  const others = Promise.all([
    accounts().updateOne({ name: 'a' }, { $inc: { n: 100 } }),
    database.connection.transaction((own) =>
      accounts().updateOne({ name: 'a' }, { $inc: { n: 1000 } }, { session: own }),
    ),
  ])
  expect(await balance('a')).toBe(10)
  await session.commitTransaction()
  await session.endSession()
  await others
  expect(await balance('a')).toBe(1111)
})

it('times out a write awaited inside it without its session', async () => {
  const impatient = await openTestDatabase({ waitMs: 400 })
  const own = accounts(impatient)
  await own.init()
  await own.create([
    { name: 'a', n: 10 },
    { name: 'b', n: 0 },
  ])
  const blocked = impatient.connection.transaction(async (session) => {
    await own.updateOne({ name: 'a' }, { $inc: { n: 1 } }, { session })
    await own.updateOne({ name: 'b' }, { $inc: { n: 1 } })
  })
  await expect(blocked).rejects.toThrow(/has to be given its session/)
  expect((await own.find().sort({ name: 1 }).lean()).map(({ n }) => n)).toEqual([10, 0])
  await impatient.close()
})

it('gives correct totals when many run concurrently', async () => {
  const one = () =>
    database.connection.transaction(async (session) => {
      const found = await accounts().findOne({ name: 'a' }, null, { session })
      await accounts().updateOne({ name: 'a' }, { $set: { n: (found?.n ?? 0) + 1 } }, { session })
    })
  await Promise.all(Array.from({ length: 20 }, one))
  expect(await balance('a')).toBe(30)
})

it('is rolled back when its client disconnects', async () => {
  const leaving = await createConnection(database.url).asPromise()
  const session = await leaving.startSession()
  session.startTransaction()
  await leaving.collection('accounts').updateOne({ name: 'a' }, { $inc: { n: 1 } }, { session })
  await leaving.close(true)
  await accounts().updateOne({ name: 'b' }, { $inc: { n: 5 } })
  expect([await balance('a'), await balance('b')]).toEqual([10, 5])
})
