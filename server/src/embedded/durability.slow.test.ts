import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createConnection } from 'mongoose'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type EmbeddedDatabaseOptions, startEmbeddedDatabase } from './embedded-database.ts'
import { makeFolder, openTestDatabase } from './testing/test-database.ts'

const WRITE_LOOP = fileURLToPath(new URL('./testing/write-loop.ts', import.meta.url))
let folder: string
beforeEach(() => {
  folder = makeFolder()
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function startWriting(from: number): ChildProcess {
  return spawn(process.execPath, [WRITE_LOOP, folder, String(from)], { stdio: ['ignore', 'pipe', 'inherit'] })
}

async function killAfter(child: ChildProcess, acknowledged: number): Promise<number[]> {
  let output = ''
  await new Promise<void>((enough) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      if (output.split('\n').length > acknowledged) enough()
    })
  })
  child.kill('SIGKILL')
  await once(child, 'close')
  return output.split('\n').slice(0, -1).map(Number)
}

it('loses no acknowledged write to kill -9, five times', async () => {
  const acknowledged: number[] = []
  for (let round = 0; round < 5; round++) {
    acknowledged.push(...(await killAfter(startWriting(round * 100_000), 60 + round * 37)))
  }
  const { connection, close } = await openTestDatabase({}, folder)
  const database = connection.getClient().db('test')
  const stored = new Set((await database.collection('things').find().toArray()).map((doc) => Number(doc._id)))
  expect(acknowledged.filter((n) => !stored.has(n))).toEqual([])
  const counted = await database.collection<{ _id: string; n: number }>('counter').findOne({ _id: 'c' })
  // Stored but not acknowledged writes may exist too.
  expect(counted?.n).toBeGreaterThanOrEqual(acknowledged.length)
  expect(counted?.n).toBeLessThanOrEqual(stored.size)
  await close()
})

it('counts correctly and keeps a key unique with two clients', async () => {
  const { connection, url, close } = await openTestDatabase()
  const other = await createConnection(url).asPromise()
  const clients = [connection, other].map((c) => c.collection('counters'))
  await connection.collection('counters').createIndex({ key: 1 }, { unique: true })
  const increments = clients.flatMap((c) =>
    Array.from({ length: 100 }, () => c.findOneAndUpdate({ name: 'c' }, { $inc: { n: 1 } }, { upsert: true })),
  )
  await Promise.all(increments)
  const docs = await connection.collection('counters').find({ name: 'c' }).toArray()
  expect(docs.map((doc) => doc.n)).toEqual([200])
  const claims = clients.flatMap((c) => Array.from({ length: 20 }, () => c.insertOne({ key: 'only' })))
  const outcomes = await Promise.allSettled(claims)
  expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1)
  const codes = outcomes.flatMap((o) => (o.status === 'rejected' ? [(o.reason as { code: number }).code] : []))
  expect(new Set(codes)).toEqual(new Set([11000]))
  await other.close()
  await close()
})

describe('a folder that is in use', () => {
  it('is refused to a second process, naming the first, and taken over once that was killed', async () => {
    const child = startWriting(0)
    await once(child.stdout ?? child, 'data')
    await expect(startEmbeddedDatabase({ folder })).rejects.toMatchObject({
      code: 'in_use',
      message: expect.stringContaining(`(pid ${child.pid})`),
    })
    child.kill('SIGKILL')
    await once(child, 'close')
    const { connection, close } = await openTestDatabase({}, folder)
    expect(await connection.getClient().db('test').collection('things').countDocuments()).toBeGreaterThan(0)
    await close()
  })

  it('is refused to a second start in the same process, and free after a stop', async () => {
    const first = await startEmbeddedDatabase({ folder })
    await expect(startEmbeddedDatabase({ folder })).rejects.toMatchObject({ code: 'in_use' })
    await first.stop()
    const second = await startEmbeddedDatabase({ folder })
    await second.stop()
    await second.stop()
  })
})

describe('a damaged file', () => {
  const file = () => join(folder, 'data.sqlite')

  async function filledFolder() {
    const database = await startEmbeddedDatabase({ folder })
    const connection = await createConnection(database.url).asPromise()
    await connection
      .collection('things')
      .insertMany(Array.from({ length: 2000 }, (_, n) => ({ n, text: 'x'.repeat(200) })))
    await connection.close()
    await database.stop()
  }

  it.each<[string, () => void]>([
    ['is no database', () => writeFileSync(file(), 'this is not a database at all, but text '.repeat(500))],
    ['was cut short', () => truncateSync(file(), Math.floor(statSync(file()).size / 2))],
  ])('that %s is refused and not changed', async (_name, damage) => {
    await filledFolder()
    damage()
    const before = readFileSync(file())
    await expect(startEmbeddedDatabase({ folder })).rejects.toMatchObject({
      code: 'corrupt',
      message: expect.stringContaining(file()),
    })
    expect(readFileSync(file()).equals(before)).toBe(true)
  })
})

interface Disk {
  internal: EmbeddedDatabaseOptions['internal']
  makeRoom(): void
  remove(): void
}

/** Pages freed by deletions can be used again. */
function limitedFileSize(): Disk {
  return { internal: { maxPages: 200 }, makeRoom: () => {}, remove: () => {} }
}

/** A file system of 2 MB where we can mount one (root on Linux). */
function smallDisk(): Disk {
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder]).status === 0) {
    return {
      internal: {},
      makeRoom: () => spawnSync('mount', ['-o', 'remount,size=8m', folder]),
      remove: () => spawnSync('umount', ['-l', folder]),
    }
  }
  return limitedFileSize()
}

describe('a full disk', () => {
  let disk = limitedFileSize()
  afterEach(() => disk.remove())

  it.each<[string, () => Disk]>([
    ['simulated by SQLite', limitedFileSize],
    ['of the machine, if it can be mounted', smallDisk],
  ])(
    '%s fails writes with a clear error, keeps acknowledged writes, and works again once there is space',
    async (_name, make) => {
      disk = make()
      const database = await startEmbeddedDatabase({ folder, internal: disk.internal })
      const connection = await createConnection(database.url).asPromise()
      const things = connection.collection('things')
      const acknowledged: number[] = []
      const failure = await fill(things, acknowledged)
      expect(failure).toMatchObject({ code: 14031, message: expect.stringContaining('full') })
      expect(acknowledged.length).toBeGreaterThan(5)
      const stored = await things
        .find({}, { projection: { n: 1 } })
        .sort({ n: 1 })
        .toArray()
      expect(stored.map((doc) => doc.n)).toEqual(acknowledged)
      disk.makeRoom()
      await things.deleteMany({ n: { $lt: 5 } })
      await things.insertOne({ n: -1 })
      await connection.close()
      await database.stop()
      const again = await startEmbeddedDatabase({ folder })
      const connectionAgain = await createConnection(again.url).asPromise()
      expect(await connectionAgain.collection('things').countDocuments()).toBe(acknowledged.length - 5 + 1)
      await connectionAgain.close()
      await again.stop()
    },
  )

  it('at the start is reported in one line', async () => {
    await expect(startEmbeddedDatabase({ folder, internal: { maxPages: 2 } })).rejects.toMatchObject({
      code: 'disk_full',
      message: expect.stringMatching(/^The disk that holds .* is full/),
    })
  })
})

type Things = ReturnType<Awaited<ReturnType<typeof openTestDatabase>>['connection']['collection']>

async function fill(things: Things, acknowledged: number[]): Promise<unknown> {
  for (let n = 0; n < 10_000; n++) {
    try {
      await things.insertOne({ n, text: 'x'.repeat(20_000) })
      acknowledged.push(n)
    } catch (error) {
      return error
    }
  }
  return undefined
}

it('says that a folder which is a file cannot be written', async () => {
  const place = join(folder, 'file')
  writeFileSync(place, 'here already')
  await expect(startEmbeddedDatabase({ folder: place })).rejects.toMatchObject({ code: 'unwritable' })
})

it('works in a folder whose path is too long for a socket', async () => {
  const deep = join(folder, 'd'.repeat(60), 'e'.repeat(60))
  const { connection, close } = await openTestDatabase({}, deep)
  await connection.collection('things').insertOne({ n: 1 })
  expect(await connection.collection('things').countDocuments()).toBe(1)
  await close()
})

it('lets only its owner access the socket', async () => {
  const database = await startEmbeddedDatabase({ folder })
  expect(statSync(join(folder, 'socket')).mode & 0o777).toBe(0o700)
  await database.stop()
})
