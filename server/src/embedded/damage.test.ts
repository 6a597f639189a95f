import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync } from 'node:zlib'
import { type Connection, createConnection } from 'mongoose'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { encode } from './bson-values.ts'
import { startEmbeddedDatabase } from './embedded-database.ts'
import { checkStore } from './storage/check-store.ts'
import { openFolder } from './storage/open-store.ts'
import { makeFolder } from './testing/test-database.ts'

let folder: string
beforeEach(() => {
  folder = makeFolder()
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const file = () => join(folder, 'data.sqlite')

async function withStore(work: (connection: Connection) => Promise<void>): Promise<void> {
  const database = await startEmbeddedDatabase({ folder, log: (line) => lines.push(line) })
  const connection = await createConnection(database.url, { dbName: 'test' }).asPromise()
  try {
    await work(connection)
  } finally {
    await connection.close()
    await database.stop()
  }
}

let lines: string[] = []
beforeEach(() => {
  lines = []
})

function fill(): void {
  const opened = openFolder(folder, { durable: false })
  const store = opened.openStore()
  store.refresh()
  const things = store.ensureCollection('test', 'things')
  store.createIndex(things, { v: 2, key: { text: 1 }, name: 'text_1' })
  for (let n = 0; n < 200; n++) things.insert(encode({ _id: n, text: `text number ${n}` }))
  store.close()
  opened.release()
}

/** As a disk may. */
function damageDocument(text: string): void {
  const bytes = readFileSync(file())
  for (let at = bytes.indexOf(text); at !== -1; at = bytes.indexOf(text, at + 1)) {
    if (bytes[at + text.length] === 0 && bytes[at + text.length + 1] === 0 && bytes[at - 1] === 0) bytes[at + 2] = 0x21
  }
  writeFileSync(file(), bytes)
}

describe('a document that the disk has damaged', () => {
  beforeEach(() => {
    fill()
    damageDocument('text number 77')
  })

  it('is refused whenever it is read, and the others are not', async () => {
    await withStore(async (connection) => {
      const things = connection.collection<{ _id: number }>('things')
      const refused = { message: expect.stringContaining('A document of test.things is damaged') }
      await expect(things.findOne({ _id: 77 })).rejects.toMatchObject(refused)
      await expect(things.find().toArray()).rejects.toMatchObject(refused)
      await expect(things.updateMany({}, { $set: { a: 1 } })).rejects.toMatchObject(refused)
      expect(await things.findOne({ _id: 78 })).toMatchObject({ text: 'text number 78' })
      expect(await things.findOne({ _id: 1 })).toEqual({ _id: 1, text: 'text number 1' })
    })
    expect(lines[0]).toContain('npm run check-store')
  })

  it('is found by a check, which changes nothing, and can be accepted as it is', async () => {
    const before = readFileSync(file())
    const found = {
      problems: [expect.stringContaining('A document of test.things is damaged')],
      whole: 199,
      damaged: 1,
    }
    expect(checkStore(folder)).toMatchObject(found)
    expect(readFileSync(file()).equals(before)).toBe(true)
    expect(checkStore(folder, true)).toMatchObject({ whole: 200, damaged: 0 })
    await withStore(async (connection) => {
      const things = connection.collection<{ _id: number }>('things')
      expect(await things.findOne({ _id: 77 })).toMatchObject({ text: 'te!t number 77' })
    })
  })
})

it('finds nothing wrong with a whole store, and tells of an index that does not match', () => {
  fill()
  expect(checkStore(folder)).toEqual({ problems: [], whole: 200, damaged: 0 })
  const db = new DatabaseSync(file())
  const { id } = db.prepare('SELECT max(id) AS id FROM indexes').get() ?? {}
  db.exec(`DELETE FROM keys_${Number(id)} WHERE rid = 3`)
  db.close()
  expect(checkStore(folder)).toMatchObject({ problems: ['The index text_1 of test.things does not match it.'] })
})

it('finds damage to the structure of the file', () => {
  fill()
  const bytes = readFileSync(file())
  for (let at = 8192; at < bytes.length; at += 4096) bytes.fill(0xa5, at, at + 64)
  writeFileSync(file(), bytes)
  expect(checkStore(folder).problems.join()).toMatch(/unsound|malformed/)
})

it('refuses a store whose file is gone, while there is a log of it', async () => {
  fill()
  rmSync(file())
  writeFileSync(`${file()}-wal`, 'the newest changes')
  const refused = { code: 'corrupt', message: expect.stringContaining('is missing or empty, but its write-ahead log') }
  await expect(startEmbeddedDatabase({ folder })).rejects.toMatchObject(refused)
  expect(readFileSync(`${file()}-wal`, 'utf8')).toBe('the newest changes')
})

it('refuses a file of a newer version', async () => {
  fill()
  const db = new DatabaseSync(file())
  db.exec('PRAGMA user_version=99')
  db.close()
  await expect(startEmbeddedDatabase({ folder })).rejects.toMatchObject({
    message: expect.stringContaining('written by a newer version'),
  })
})

it('logs nothing at the first start in an empty folder', async () => {
  await withStore(async () => {})
  expect(lines).toEqual([])
})

describe('a store of the version before checksums were kept beside documents, killed with a log', () => {
  const names = ['data.sqlite', 'data.sqlite-wal', 'data.sqlite-sums', 'data.sqlite-commits']
  beforeEach(() => {
    for (const name of names) {
      const packed = readFileSync(new URL(`./testing/store-format-2/${name}.gz`, import.meta.url))
      writeFileSync(join(folder, name), gunzipSync(packed))
    }
  })

  it('is brought up to date by the next start, and has all that it had', async () => {
    await withStore(async (connection) => {
      const things = connection.collection<{ _id: number; text: string; long?: unknown }>('things')
      const rows = await things.find({}, { sort: { at: -1 }, promoteValues: false }).toArray()
      expect(rows.map(({ _id }) => Number(_id))).toEqual(
        Array.from({ length: 60 }, (_, n) => 59 - n).filter((n) => n !== 4),
      )
      expect(rows[0]).toMatchObject({ double: { value: 5 }, decimal: { bytes: expect.anything() } })
      expect(String(rows[0]?.long)).toBe('9007199254740993')
      expect(rows.find(({ _id }) => Number(_id) === 3)).toMatchObject({ newest: true })
      expect(await things.countDocuments({ tags: 1 })).toBe(19)
      expect(await things.distinct('text', { _id: 59 })).toEqual(['x'.repeat(5900)])
      const names = (await things.listIndexes().toArray()).map(({ name }) => name)
      expect(names).toEqual(['_id_', 'code_1', 'tags_1', 'at_-1', 'gone_at_1'])
      await expect(things.insertOne({ _id: 99, code: 'code 7' } as never)).rejects.toMatchObject({ code: 11000 })
      expect(await connection.collection('others').countDocuments()).toBe(2)
    })
    expect(lines).toEqual([])
    expect(checkStore(folder)).toEqual({ problems: [], whole: 61, damaged: 0 })
    expect(names.filter((name) => readFileSync(join(folder, name), { flag: 'a+' }).length > 0)).toEqual(['data.sqlite'])
  })

  it('is refused, and not changed, if it is damaged', async () => {
    const bytes = readFileSync(file())
    bytes.fill(0xa5, 8192, 8256)
    writeFileSync(file(), bytes)
    rmSync(`${file()}-wal`)
    await expect(startEmbeddedDatabase({ folder })).rejects.toMatchObject({ code: 'corrupt' })
    expect(readFileSync(file()).equals(bytes)).toBe(true)
  })
})
