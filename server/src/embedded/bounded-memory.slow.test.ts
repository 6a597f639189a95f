import { rmSync } from 'node:fs'
import { ObjectId } from 'bson'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Doc, decode, encode } from './bson-values.ts'
import { findStored, rowsToChange } from './query/find.ts'
import { type Collection, normaliseDocument } from './storage/collection.ts'
import { KeySorter } from './storage/key-sorter.ts'
import { openFolder } from './storage/open-store.ts'
import type { Store } from './storage/store.ts'
import { randomFrom } from './testing/random.ts'
import { makeFolder, openTestDatabase } from './testing/test-database.ts'

/** More than are sorted in memory. */
const DOCUMENTS = 60_000
const path = makeFolder()
const random = randomFrom(14)
let folder: ReturnType<typeof openFolder>
let store: Store
let things: Collection

beforeAll(() => {
  folder = openFolder(path, { durable: false })
  store = folder.openStore()
  store.refresh()
  store.db.exec('BEGIN')
  things = store.ensureCollection('test', 'things')
  for (let n = 0; n < DOCUMENTS; n++) {
    things.insert(normaliseDocument(encode({ _id: n, ...random.doc(), course: n % 40, own: new ObjectId() })))
  }
  store.db.exec('COMMIT')
})
afterAll(() => {
  store.close()
  folder.release()
  rmSync(path, { recursive: true, force: true })
})

describe('a sort larger than memory', () => {
  it('gives each row once, in order, however much of it is in memory', () => {
    for (const count of [300, 120_000]) {
      const sorter = new KeySorter()
      const keys = Array.from({ length: count }, (_, n) => Buffer.from([n % 7, 0, n % 11]))
      for (const [n, key] of keys.entries()) sorter.add(key, n)
      const expected = [...keys.entries()].sort(([a, x], [b, y]) => Buffer.compare(x, y) || a - b).map(([n]) => n)
      expect([...sorter.sorted()].map(({ rid }) => rid)).toEqual(expected)
      sorter.close()
    }
  })

  it('gives the first few where those are wanted', () => {
    const sorter = new KeySorter(3)
    for (let n = 0; n < 5000; n++) sorter.add(Buffer.from([(n * 7919) % 251, n % 3]), n)
    const first = [...sorter.sorted()].slice(0, 3).map(({ key, rid }) => [...key, rid])
    const all = Array.from({ length: 5000 }, (_, n) => [(n * 7919) % 251, n % 3, n])
    all.sort(([a = 0, b = 0, c = 0], [d = 0, e = 0, f = 0]) => a - d || b - e || c - f)
    expect(first).toEqual(all.slice(0, 3))
  })

  it('gives pages of all documents that make up the whole', () => {
    const sort = { c: -1, course: 1, _id: 1 }
    const rids = (spec: object) => [...findStored(things, { filter: {}, sort, ...spec })].map(({ rid }) => rid)
    const all = rids({})
    expect(new Set(all).size).toBe(DOCUMENTS)
    expect(rids({ limit: 100 })).toEqual(all.slice(0, 100))
    expect(rids({ skip: 30_000, limit: 100 })).toEqual(all.slice(30_000, 30_100))
  })
})

it('builds an index larger than memory like one built document by document', () => {
  const keysOf = (collection: Collection, name: string) => {
    const index = collection.indexes.find((known) => known.name === name)
    const rows = store.prepare(`SELECT hex(key) AS key, rid FROM keys_${index?.id} ORDER BY key, rid`).all()
    return { rows, arrays: index?.arrayFields.sort() }
  }
  const specs: Doc[] = [
    { key: { a: 1, c: -1 }, name: 'ac' },
    { key: { own: 1 }, name: 'own', unique: true },
    { key: { b: 1 }, name: 'b', sparse: true },
  ]
  store.db.exec('BEGIN')
  const copy = store.ensureCollection('test', 'copy')
  for (const spec of specs) store.createIndex(copy, spec)
  for (const { bytes } of things.all()) copy.insert(bytes)
  for (const spec of specs) store.createIndex(things, spec)
  store.db.exec('COMMIT')
  for (const { name } of specs) expect(keysOf(things, String(name))).toEqual(keysOf(copy, String(name)))
  expect(() => store.createIndex(things, { key: { course: 1 }, name: 'course', unique: true })).toThrow(
    expect.objectContaining({ code: 11000, message: expect.stringMatching(/dup key: { course: \d+ }/) }),
  )
})

it('touches each document once when changes move them in the index being scanned', () => {
  const moved = store.ensureCollection('test', 'moved')
  for (let n = 0; n < 1000; n++) moved.insert(normaliseDocument(encode({ _id: n, at: n, text: 'x'.repeat(10_000) })))
  store.createIndex(moved, { key: { at: 1 }, name: 'at' })
  const seen: unknown[] = []
  for (const row of rowsToChange(moved, { filter: { at: { $gte: 0 } } })) {
    const doc = decode(row.bytes)
    seen.push(doc._id)
    moved.replace(row, encode({ ...doc, at: Number(doc.at) + 5000 }))
  }
  expect(seen).toEqual(Array.from({ length: 1000 }, (_, n) => n))
  expect([...findStored(moved, { filter: { at: { $gte: 5000 } } })]).toHaveLength(1000)
})

it('keeps what a statement changed before it failed, and sends groups in batches', async () => {
  const { connection, close } = await openTestDatabase()
  const rows = connection.collection('rows')
  await rows.createIndex({ key: 1 }, { unique: true, sparse: true })
  await rows.insertMany(Array.from({ length: 3000 }, (_, n) => ({ n, by: n % 1000, filler: 'x'.repeat(2_000) })))
  await expect(rows.updateMany({}, { $set: { key: 1 } })).rejects.toMatchObject({ code: 11000 })
  expect(await rows.countDocuments({ key: 1 })).toBe(1)
  const groups = await rows.aggregate([{ $group: { _id: '$by', n: { $sum: 1 } } }], { batchSize: 50 }).toArray()
  expect(groups.map((group) => group.n)).toEqual(Array.from({ length: 1000 }, () => 3))
  await close()
})
