import { rmSync } from 'node:fs'
import { type Connection, createConnection, type mongo } from 'mongoose'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startEmbeddedDatabase } from './embedded-database.ts'
import type { Row } from './testing/on-every-server.ts'
import { SLOW_FILTER, seedForSlowCommands } from './testing/slow-commands.ts'
import { makeFolder, openTestDatabase, type TestDatabase } from './testing/test-database.ts'

let database: TestDatabase
let clients: Connection[] = []
beforeEach(async () => {
  database = await openTestDatabase({ waitMs: 30, quickMs: 1_000 })
  await seedForSlowCommands(things())
})
afterEach(async () => {
  await leave(...clients)
  await database.close()
})

function things(connection = database.connection): mongo.Collection<Row> {
  return connection.getClient().db('test').collection<Row>('things')
}

async function another(): Promise<Connection> {
  const client = await createConnection(database.url, { maxPoolSize: 1 }).asPromise()
  clients.push(client)
  return client
}

async function leave(...leaving: Connection[]): Promise<void> {
  clients = clients.filter((client) => !leaving.includes(client))
  await Promise.all(leaving.map((client) => client.close(true)))
}

type Command = (things: mongo.Collection<Row>) => Promise<unknown>

/** Starts a command that takes most of a minute, for a client of its own, and waits until it runs. */
async function startLong(command: Command) {
  const before = await active()
  const client = await another()
  const state = { ended: false }
  const long = command(things(client))
  long
    .catch(() => {})
    .finally(() => {
      state.ended = true
    })
  await expect.poll(active).toBeGreaterThan(before)
  return { client, state }
}

async function active(): Promise<number> {
  const { globalLock } = await database.connection.getClient().db('test').command({ serverStatus: 1 })
  return globalLock.activeClients.readers + globalLock.activeClients.writers
}

const readAll = (all: mongo.Collection<Row>) => all.find(SLOW_FILTER).toArray()
const changeAll = (all: mongo.Collection<Row>) => all.updateMany(SLOW_FILTER, { $set: { changed: true } })
const groupAll = (all: mongo.Collection<Row>) =>
  all.aggregate([{ $match: SLOW_FILTER }, { $group: { _id: '$n' } }]).toArray()

it('answers quick commands while two long reads run', async () => {
  const long = [await startLong(readAll), await startLong(groupAll)]
  for (let n = 0; n < 20; n++) {
    expect(await things().findOne({ _id: n }, { projection: { n: 1 } })).toEqual({ _id: n, n })
    await things().updateOne({ _id: n }, { $set: { mine: true } })
  }
  expect(await things().countDocuments()).toBe(300)
  expect(long.map(({ state }) => state.ended)).toEqual([false, false])
})

it('answers reads while a long write runs, long ones too, from before it', async () => {
  const { state } = await startLong(changeAll)
  for (let n = 0; n < 20; n++) expect(await things().findOne({ _id: n })).not.toHaveProperty('changed')
  expect(await things().distinct('changed')).toEqual([])
  const late = { _id: { $lt: 2 }, ...SLOW_FILTER }
  expect(await things().countDocuments(late)).toBe(2)
  expect(state.ended).toBe(false)
})

it('lets a write wait for a long one for as long as its client does', async () => {
  await startLong(changeAll)
  // Much longer than it would wait for a transaction.
  await expect(things().updateOne({ _id: 0 }, { $set: { mine: true } }, { maxTimeMS: 300 })).rejects.toMatchObject({
    code: 50,
  })
})

it('ends the write of a client that has gone, and undoes it', async () => {
  const { client } = await startLong(changeAll)
  await leave(client)
  await things().updateOne({ _id: 0 }, { $set: { mine: true } })
  expect(await things().countDocuments({ changed: true })).toBe(0)
  expect(await things().countDocuments({ mine: true })).toBe(1)
})

it('ends the reads of clients that have gone, so that others have their turn', async () => {
  const long = [await startLong(readAll), await startLong(readAll)]
  const { client } = await startLong(changeAll)
  await leave(client, ...long.map((one) => one.client))
  expect(await things().countDocuments({ _id: { $lt: 2 }, ...SLOW_FILTER })).toBe(2)
})

it('stops while long commands run, and keeps only what was acknowledged', async () => {
  const folder = makeFolder()
  const own = await startEmbeddedDatabase({ folder })
  const client = await createConnection(own.url).asPromise()
  await seedForSlowCommands(things(client))
  await client.close()
  const gone = async (command: Command) => {
    const leaving = await createConnection(own.url).asPromise()
    clients.push(leaving)
    await expect(command(things(leaving))).rejects.toThrow()
  }
  const ends = [gone(changeAll), gone(readAll)]
  const last = await createConnection(own.url).asPromise()
  await things(last).findOne({})
  await last.close()
  await own.stop()
  await Promise.all(ends)
  const again = await openTestDatabase({}, folder)
  expect(await things(again.connection).countDocuments({ changed: { $exists: false } })).toBe(300)
  await again.close()
  rmSync(folder, { recursive: true, force: true })
})

it('shows a long write to its client at once, with the collection and index it made', async () => {
  const db = database.connection.getClient().db('test')
  for (let round = 0; round < 5; round++) {
    const made = db.collection<Row>(`made${round}`)
    // Too much for a quick write.
    const rows = Array.from({ length: 100 }, (_, n) => ({ _id: n, tags: [n, n + 1], text: 'x'.repeat(16_000) }))
    await made.insertMany(rows)
    expect(await made.findOne({ _id: 99 }, { projection: { tags: 1 } })).toEqual({ _id: 99, tags: [99, 100] })
    await made.createIndex({ tags: 1 })
    expect(await made.countDocuments({ tags: 50 })).toBe(2)
    await made.insertMany(rows.map((row) => ({ ...row, _id: Number(row._id) + 100, tags: [[50]] })))
    expect(await made.countDocuments({ tags: 50 })).toBe(2)
    await made.drop()
    expect(await made.findOne({ _id: 99 })).toBeNull()
  }
})

it('tells of a write whose time is over while it is committed that it is stored', async () => {
  // Time enough to start a thread on a busy machine, then longer than one that was told to end may go without a step.
  const slow = await openTestDatabase({ commitMs: 9_000 })
  // Too much for a quick write.
  const write = things(slow.connection).insertOne({ _id: 1, text: 'x'.repeat(1_100_000) }, { maxTimeMS: 6_000 })
  expect(await write.then(({ acknowledged }) => acknowledged)).toBe(true)
  expect(await things(slow.connection).countDocuments({})).toBe(1)
  await slow.close()
})
