import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Doc, decode, encode } from './bson-values.ts'
import { countStored, findStored, restFromIndex } from './query/find.ts'
import { planQuery } from './query/planner.ts'
import { normaliseDocument } from './storage/collection.ts'
import { sortKeyMaker } from './storage/index-keys.ts'
import { openFolder } from './storage/open-store.ts'
import type { Store } from './storage/store.ts'
import { randomFrom } from './testing/random.ts'
import { makeFolder } from './testing/test-database.ts'

const INDEXES: Doc[] = [
  { key: { a: 1 }, name: 'a' },
  { key: { a: 1, b: -1 }, name: 'ab' },
  { key: { b: -1, c: 1 }, name: 'bc' },
  { key: { 'd.e': 1, a: 1 }, name: 'dea' },
  { key: { 'd.f': 1, 'd.e': 1 }, name: 'dfde' },
  { key: { g: -1 }, name: 'g', sparse: true },
  { key: { c: 1 }, name: 'c', partialFilterExpression: { h: true } },
]
const DOCUMENTS = 200
const QUERIES = 600
const every = (step: number, from: number) => Array.from({ length: DOCUMENTS / step }, (_, n) => n * step + from)
let store: Store
let release: () => void

beforeAll(() => {
  const path = makeFolder()
  const folder = openFolder(path, { durable: true })
  release = () => {
    folder.release()
    rmSync(path, { recursive: true, force: true })
  }
  store = folder.openStore()
  store.refresh()
})
afterAll(() => {
  store.close()
  release()
})

it('finds the same with an index as with a full scan, on random documents and queries', () => {
  const random = randomFrom(20260101)
  store.db.exec('BEGIN')
  const collection = store.ensureCollection('test', 'random')
  for (let n = 0; n < DOCUMENTS / 2; n++) collection.insert(normaliseDocument(encode({ _id: n, ...random.doc() })))
  // Half before and half after the indexes, to cover both building and updating them.
  for (const spec of INDEXES) store.createIndex(collection, spec)
  for (let n = DOCUMENTS / 2; n < DOCUMENTS; n++)
    collection.insert(normaliseDocument(encode({ _id: n, ...random.doc() })))
  for (const row of [...findStored(collection, { filter: { _id: { $in: every(7, 3) } } })]) collection.remove(row)
  for (const row of [...findStored(collection, { filter: { _id: { $in: every(7, 4) } } })]) {
    collection.replace(row, normaliseDocument(encode({ _id: (row.rid - 1) as unknown, ...random.doc() })))
  }
  store.db.exec('COMMIT')

  const used = new Map<string, number>()
  let fromIndex = 0
  for (let n = 0; n < QUERIES; n++) {
    const filter = random.filter()
    const sort = random.sort()
    const limit = random.pick([0, 0, 5])
    const plan = planQuery(
      collection,
      filter,
      Object.entries(sort).map(([path, d]) => ({ path, direction: d })),
      limit > 0,
    )
    used.set(plan?.index.name ?? 'none', (used.get(plan?.index.name ?? 'none') ?? 0) + 1)
    const details = JSON.stringify({ filter, sort, limit, index: plan?.index.name })
    const rids = (ignoreIndexes: boolean, over: object) =>
      [...findStored(collection, { filter, ignoreIndexes, ...over })].map((row) => row.rid).sort((x, y) => x - y)
    expect(rids(false, {}), details).toEqual(rids(true, {}))
    expect(countStored(collection, { filter }), details).toBe(rids(true, {}).length)
    // With _id as the last sort key there are no ties, whose order would be undefined.
    const total = { ...sort, _id: 1 }
    const ordered = (ignoreIndexes: boolean) =>
      [...findStored(collection, { filter, ignoreIndexes, sort: total, skip: 1, limit })].map((row) => row.rid)
    expect(ordered(false), details).toEqual(ordered(true))
    const paged = { filter, sort, skip: 1, limit }
    const rest = restFromIndex(collection, paged, 2)
    if (rest) {
      fromIndex++
      expect([...rest], details).toEqual([...findStored(collection, paged)].slice(2).map((row) => row.rid))
    }
    expect(keysOf(collection, filter, sort, false), details).toEqual(keysOf(collection, filter, sort, true))
  }
  expect(fromIndex).toBeGreaterThan(10)
  for (const spec of INDEXES)
    expect(used.get(String(spec.name)) ?? 0, `queries through ${spec.name}`).toBeGreaterThan(5)
})

function keysOf(
  collection: Parameters<typeof findStored>[0],
  filter: Doc,
  sort: Record<string, 1 | -1>,
  ignoreIndexes: boolean,
): string[] {
  const keyOf = sortKeyMaker(Object.entries(sort).map(([path, direction]) => ({ path, direction })))
  return [...findStored(collection, { filter, sort, ignoreIndexes, limit: 20 })].map((row) =>
    Object.keys(sort).length === 0 ? '' : keyOf(decode(row.bytes)).toString('hex'),
  )
}
