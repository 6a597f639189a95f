import { rmSync } from 'node:fs'
import { type Connection, createConnection, type mongo } from 'mongoose'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startEmbeddedDatabase } from './embedded-database.ts'
import type { Row } from './testing/on-every-server.ts'
import { makeFolder, openTestDatabase, type TestDatabase } from './testing/test-database.ts'

/** Matches every document of `seedForSlowCommands` after reading all of it: a second or more. */
const SLOW_FILTER = { 'list.parts.word': { $not: { $in: Array.from({ length: 40 }, (_, n) => new Date(n)) } } }

async function seedForSlowCommands(things: mongo.Collection<Row>, documents: number): Promise<void> {
  const list = Array.from({ length: 40 }, (_, n) => ({
    parts: Array.from({ length: 10 }, () => ({ word: `word ${n}` })),
  }))
  await things.insertMany(Array.from({ length: documents }, (_, n) => ({ _id: n, n, list })))
}

const DOCUMENTS = 1_000
let database: TestDatabase
beforeEach(async () => {
  database = await openTestDatabase({ durable: false })
  await seedForSlowCommands(things(), DOCUMENTS)
})
afterEach(() => database.close())

function things(connection = database.connection): mongo.Collection<Row> {
  return connection.getClient().db('test').collection<Row>('things')
}

type Command = (things: mongo.Collection<Row>) => Promise<unknown>

const readAll: Command = (all) => all.countDocuments(SLOW_FILTER)
const groupAll: Command = (all) => all.aggregate([{ $match: SLOW_FILTER }, { $group: { _id: '$n' } }]).toArray()
const changeAll: Command = (all) => all.updateMany(SLOW_FILTER, { $set: { changed: true } })
const indexAll: Command = (all) => all.createIndex({ 'list.parts.word': 1 })

async function beside(long: Command[], quick: () => Promise<unknown>): Promise<number[]> {
  const state = { running: long.length }
  const ended = long.map((command) => command(things()).finally(() => state.running--))
  const times: number[] = []
  while (state.running === long.length) {
    const start = performance.now()
    await quick()
    times.push(performance.now() - start)
  }
  await Promise.all(ended)
  return times.sort((a, b) => a - b)
}

it.each<[string, Command[]]>([
  ['two long reads', [readAll, groupAll]],
  ['an update of all', [changeAll]],
  ['a new index', [indexAll]],
])('answers reads within 50 ms beside %s', async (_name, long) => {
  let n = 0
  const times = await beside(long, () => things().findOne({ _id: n++ % DOCUMENTS }, { projection: { n: 1 } }))
  expect(times.length).toBeGreaterThan(20)
  // In the median, as other processes have the machine now and then.
  expect(times[Math.floor(times.length / 2)]).toBeLessThan(50)
})

it('answers writes while long reads run', async () => {
  const times = await beside([readAll], () => things().updateOne({ _id: 1 }, { $set: { mine: true } }))
  expect(times.length).toBeGreaterThan(5)
})

it('shows the state before a long write or after it, nothing between, to long reads too', async () => {
  const seen: number[] = []
  await beside([changeAll], async () => {
    seen.push(await things().countDocuments({ _id: { $lt: 200 }, changed: true }))
  })
  // It is committed a moment before its client knows.
  expect([seen[0], seen.filter((n) => n !== 0 && n !== 200)]).toEqual([0, []])
  expect(await things().distinct('changed')).toEqual([true])
})

it('stops while long commands run, and keeps only what was acknowledged', async () => {
  const folder = makeFolder()
  const own = await startEmbeddedDatabase({ folder })
  const clients: Connection[] = []
  const connect = async () => {
    const client = await createConnection(own.url).asPromise()
    clients.push(client)
    return client
  }
  await seedForSlowCommands(things(await connect()), DOCUMENTS)
  const ends = [
    expect(changeAll(things(await connect()))).rejects.toThrow(),
    expect(readAll(things(await connect()))).rejects.toThrow(),
  ]
  await things(await connect()).findOne({})
  await own.stop()
  await Promise.all(ends)
  await Promise.all(clients.map((client) => client.close(true)))
  const again = await openTestDatabase({}, folder)
  expect(await things(again.connection).countDocuments({ changed: { $exists: false } })).toBe(DOCUMENTS)
  await again.close()
  rmSync(folder, { recursive: true, force: true })
})

it('shows a long write to its client at once, with the collection and index it made', async () => {
  const db = database.connection.getClient().db('test')
  for (let round = 0; round < 5; round++) {
    const made = db.collection<Row>(`made${round}`)
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
