import { rmSync } from 'node:fs'
import { Decimal128, Long, ObjectId } from 'bson'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { incrementalAccumulator } from './aggregate/accumulators.ts'
import { hasInexact } from './aggregate/exact-operators.ts'
import { runPipeline } from './aggregate/run-pipeline.ts'
import { type Doc, decode, encode } from './bson-values.ts'
import { aggregation } from './query/expression.ts'
import { findStored } from './query/find.ts'
import { rowsToChange } from './query/rows-to-change.ts'
import { type Collection, normaliseDocument } from './storage/collection.ts'
import { ExternalSort } from './storage/external-sort.ts'
import { openFolder } from './storage/open-store.ts'
import { RowSet } from './storage/row-set.ts'
import { Spool } from './storage/spool.ts'
import type { Store } from './storage/store.ts'
import { randomFrom } from './testing/random.ts'
import { makeFolder, openTestDatabase } from './testing/test-database.ts'

/** So little that everything but a few documents goes to disk. */
const LITTLE = 4096
const DOCUMENTS = 400

const opened: { store: Store; release: () => void }[] = []

function openStore(memoryLimit: number | undefined): Store {
  const path = makeFolder()
  const folder = openFolder(path, { durable: false, maxPages: undefined, memoryLimit })
  const store = folder.openStore()
  store.refresh()
  const release = () => {
    store.close()
    folder.release()
    rmSync(path, { recursive: true, force: true })
  }
  opened.push({ store, release })
  return store
}

let little: Store
let ample: Store
const random = randomFrom(14)

/** Without numbers that a pipeline refuses to group by. */
function exactDoc(): Doc {
  for (;;) {
    const doc = decode(encode(random.doc()))
    if (!hasInexact(doc)) return doc
  }
}

beforeAll(() => {
  little = openStore(LITTLE)
  ample = openStore(undefined)
  const docs = Array.from({ length: DOCUMENTS }, (_, n) => ({
    _id: n,
    ...exactDoc(),
    course: n % 40,
    own: new ObjectId(n.toString(16).padStart(24, '0')),
    score: random.pick<unknown>([1, 2, 2.5, null, 'ten', 40]),
    paper: `${'x'.repeat(n % 30)}${n}`,
    info: { [random.pick(['p', 'q'])]: n },
  }))
  for (const store of [little, ample]) {
    const collection = store.ensureCollection('test', 'things')
    for (const doc of docs) collection.insert(normaliseDocument(encode(doc)))
  }
})
afterAll(() => {
  for (const { release } of opened) release()
})

function run(store: Store, pipeline: Doc[]): Doc[] {
  return [...runPipeline({ store, database: 'test' }, 'things', pipeline)].map((doc) => decode(encode(doc)))
}

function storedDocs(store: Store, spec: Omit<Parameters<typeof findStored>[1], 'filter'> = {}): Doc[] {
  const collection = store.collection('test.things')
  if (!collection) throw new Error('no collection')
  return [...findStored(collection, { filter: {}, ...spec })].map((row) => decode(row.bytes))
}

const byId = (docs: Doc[]) =>
  docs
    .map((doc) =>
      JSON.stringify(doc, (_, value: unknown) => (typeof value === 'number' ? Number(value.toFixed(9)) : value)),
    )
    .sort()

describe('$group', () => {
  it.each<[string, Doc]>([
    ['sums', { n: { $sum: 1 }, total: { $sum: '$score' }, mean: { $avg: '$score' } }],
    ['counts', { n: { $count: {} } }],
    ['extremes', { low: { $min: '$paper' }, high: { $max: '$paper' }, least: { $min: '$score' } }],
    ['ends', { first: { $first: '$paper' }, last: { $last: '$info.p' } }],
    ['lists', { all: { $push: '$paper' }, both: { $push: { p: '$info.p', s: '$score' } } }],
    ['sets', { all: { $addToSet: '$score' } }],
    ['merged objects', { all: { $mergeObjects: '$info' } }],
    ['deviations', { pop: { $stdDevPop: '$_id' }, samp: { $stdDevSamp: '$_id' } }],
    ['expressions', { n: { $sum: { $cond: [{ $gt: ['$_id', 100] }, 1, 0] } } }],
  ])('gives the %s that mingo gives, in memory and from disk', (_name, fields) => {
    for (const id of ['$course', '$own', '$a', '$c', null, { course: '$course', p: '$info.p' }]) {
      const stage = { $group: { _id: id, ...fields } }
      // It calculates with JavaScript's numbers and compares other than MongoDB where types are mixed.
      const expected = aggregation().runMingoStage(storedDocs(ample), stage)
      const details = JSON.stringify(stage)
      if (id !== '$a' && id !== '$c') expect(byId(run(ample, [stage])), details).toEqual(byId(expected))
      expect(byId(run(little, [stage])), details).toEqual(byId(run(ample, [stage])))
    }
  })

  it('keeps the order in which groups were met while they fit into memory', () => {
    const ids = run(ample, [{ $sort: { _id: -1 } }, { $group: { _id: '$course' } }]).map((doc) => doc._id)
    expect(ids).toEqual(Array.from({ length: 40 }, (_, n) => 39 - n))
  })

  it('adds up integers beyond 2^53 exactly, and refuses what it cannot', () => {
    const big = Long.fromString('9007199254740993')
    for (const store of [little, ample]) {
      const collection = store.ensureCollection('test', 'numbers')
      for (let n = 0; n < 200; n++) {
        collection.insert(encode({ _id: n, by: n % 50, big, decimal: Decimal128.fromString('1.5') }))
      }
      const group = (stage: Doc) => [...runPipeline({ store, database: 'test' }, 'numbers', [{ $group: stage }])]
      const fields = { sum: { $sum: '$big' }, most: { $max: '$big' }, all: { $push: '$by' } }
      for (const doc of group({ _id: '$by', ...fields })) {
        expect([doc.sum, doc.most].map(String)).toEqual(['36028797018963972', '9007199254740993'])
      }
      for (const stage of [{ _id: '$big' }, { _id: '$decimal' }, { _id: '$by', sum: { $sum: '$decimal' } }]) {
        expect(() => group(stage), JSON.stringify(stage)).toThrow(expect.objectContaining({ code: 115 }))
      }
    }
  })

  it('reads the fields that an accumulator sorts by', () => {
    const top = { $topN: { n: 1, sortBy: { own: -1 }, output: '$_id' } }
    for (const store of [little, ample]) {
      const few = [
        { $match: { _id: { $lt: 4 } } },
        { $sort: { _id: 1 } },
        { $limit: 4 },
        { $group: { _id: null, top } },
      ]
      expect(run(store, few)).toEqual([{ _id: null, top: [3] }])
    }
  })

  it('knows every accumulator named in its documentation', () => {
    expect(['$sum', '$avg', '$push', '$addToSet', '$first'].map(incrementalAccumulator)).not.toContain(undefined)
  })
})

describe('a sort larger than memory', () => {
  it('of stored documents is that in memory, whole and in pages', () => {
    for (let n = 0; n < 60; n++) {
      const spec = {
        sort: { ...random.sort(), _id: 1 },
        skip: random.pick([0, 0, 7]),
        limit: random.pick([0, 1, 5, 390]),
      }
      expect(storedDocs(little, spec), JSON.stringify(spec)).toEqual(storedDocs(ample, spec))
    }
  })

  it('of a pipeline is that in memory, and keeps the order of equals', () => {
    for (let n = 0; n < 20; n++) {
      const limit = random.pick([[], [{ $limit: 5 }], [{ $skip: 3 }, { $limit: 300 }]])
      const pipeline = [{ $addFields: { more: '$_id' } }, { $sort: { ...random.sort(), course: 1 } }, ...limit]
      expect(run(little, pipeline), JSON.stringify(pipeline)).toEqual(run(ample, pipeline))
    }
  })

  it('gives each entry once, in order, however much of it is in memory', () => {
    for (const memoryLimit of [0, 500, 1_000_000]) {
      const sort = new ExternalSort({ memoryLimit })
      const keys = Array.from({ length: 300 }, (_, n) => Buffer.from([n % 7, 0, 0, 0, 0, 0, n % 11]))
      for (const [n, key] of keys.entries()) sort.add(key, n, Buffer.from(String(n)))
      const expected = [...keys.entries()].sort(([a, x], [b, y]) => Buffer.compare(x, y) || a - b).map(([n]) => n)
      const entries = [...sort.sorted()].map(({ order, payload }) => [order, Number(Buffer.from(payload).toString())])
      expect(entries).toEqual(expected.map((n) => [n, n]))
    }
  })

  it('gives each entry once when what was on disk has left its memory to others', () => {
    const sort = new ExternalSort({ memoryLimit: 2_500_000 })
    const payload = (n: number) => Buffer.alloc(n % 100 === 0 ? 1_200_000 : 20_000 + n, n)
    for (let n = 0; n < 600; n++) sort.add(Buffer.from([n % 7]), n, payload(n))
    const expected = Array.from({ length: 600 }, (_, n) => n).sort((a, b) => (a % 7) - (b % 7) || a - b)
    const given = [...sort.sorted()].map(({ order, payload: bytes }) => [order, payload(order).equals(bytes)])
    expect(given).toEqual(expected.map((n) => [n, true]))
  })

  it('that gives the first few gives those', () => {
    const sort = new ExternalSort({ memoryLimit: 1_000_000, first: 3 })
    for (let n = 0; n < 5000; n++) sort.add(Buffer.from([(n * 7919) % 251, n % 3]), n)
    const first = [...sort.sorted()].slice(0, 3).map(({ key, order }) => [...key, order])
    const all = Array.from({ length: 5000 }, (_, n) => [(n * 7919) % 251, n % 3, n])
    all.sort(([a = 0, b = 0, c = 0], [d = 0, e = 0, f = 0]) => a - d || b - e || c - f)
    expect(first).toEqual(all.slice(0, 3))
  })
})

describe('results', () => {
  it('of every stage are the same from disk', () => {
    for (const pipeline of [
      [{ $facet: { few: [{ $limit: 3 }], n: [{ $count: 'all' }] } }],
      [
        { $match: { course: 3 } },
        { $lookup: { from: 'things', localField: 'course', foreignField: 'course', as: 'same' } },
      ],
      [{ $sortByCount: '$course' }, { $sort: { _id: 1 } }],
      [{ $unwind: '$a' }, { $limit: 50 }],
      [{ $unionWith: 'things' }, { $count: 'n' }],
      [{ $sample: { size: 1000 } }, { $count: 'n' }],
    ]) {
      expect(run(little, pipeline), JSON.stringify(pipeline)).toEqual(run(ample, pipeline))
    }
  })

  it('are read back as they were put in, twice', () => {
    for (const memoryLimit of [0, 2000, 1_000_000_000]) {
      const spool = new Spool(memoryLimit)
      const docs = Array.from({ length: 200 }, (_, n) => Buffer.alloc((n * n * 31) % 90_000, n))
      for (const doc of docs) spool.add(doc)
      for (let n = 0; n < 2; n++)
        expect([...spool.read()].map((bytes) => Buffer.compare(bytes, docs.shift() ?? bytes))).not.toContain(1)
      spool.close()
    }
  })

  it('that a stage needs all at once are refused when they are too many', () => {
    const pipeline = [{ $bucketAuto: { groupBy: '$_id', buckets: 4 } }]
    expect(run(ample, pipeline)).toHaveLength(4)
    expect(() => run(little, pipeline)).toThrow(expect.objectContaining({ code: 292 }))
  })

  it('come to the client in batches, and are written into the collection they are read from', async () => {
    const { connection, close } = await openTestDatabase({ memoryLimit: LITTLE })
    const things = connection.getClient().db('test').collection<{ _id: number; text: string }>('things')
    await things.insertMany(Array.from({ length: 3000 }, (_, n) => ({ _id: n, text: `${n % 1000}` })))
    const groups = await things.aggregate([{ $group: { _id: '$text', n: { $sum: 1 } } }], { batchSize: 50 }).toArray()
    expect(groups.map((group) => group.n)).toEqual(Array.from({ length: 1000 }, () => 3))
    await things.aggregate([{ $match: { _id: { $lt: 2000 } } }, { $set: { seen: true } }, { $out: 'things' }]).toArray()
    expect(await things.countDocuments({ seen: true })).toBe(2000)
    expect(await things.countDocuments()).toBe(2000)
    await close()
  })
})

describe('changes', () => {
  function numbered(store: Store, name: string, count: number): Collection {
    const collection = store.ensureCollection('test', name)
    for (let n = 0; n < count; n++) {
      collection.insert(normaliseDocument(encode({ _id: n, at: n, text: 'x'.repeat(10_000) })))
    }
    store.createIndex(collection, { key: { at: 1 }, name: 'at' })
    return collection
  }

  it('that move documents in the index being scanned touch each once', () => {
    // More than is held, so that most are read again.
    const collection = numbered(ample, 'moved', 1000)
    const seen: unknown[] = []
    for (const row of rowsToChange(collection, { filter: { at: { $gte: 0 } } })) {
      const doc = decode(row.bytes)
      seen.push(doc._id)
      collection.replace(row, encode({ ...doc, at: Number(doc.at) + 5000 }))
    }
    expect(seen).toEqual(Array.from({ length: 1000 }, (_, n) => n))
    const found = [...findStored(collection, { filter: { at: { $gte: 5000 } } })]
    expect(found).toHaveLength(1000)
  })

  it('are undone as a whole when one fails', async () => {
    const { connection, close } = await openTestDatabase()
    const things = connection.collection('things')
    await things.createIndex({ key: 1 }, { unique: true })
    await things.insertMany(Array.from({ length: 500 }, (_, n) => ({ key: n, filler: 'x'.repeat(20_000) })))
    await expect(
      things.updateMany({}, [{ $set: { key: { $min: ['$key', 400] }, moved: true } }]),
    ).rejects.toMatchObject({
      code: 11000,
    })
    expect(await things.countDocuments({ moved: true })).toBe(401)
    await close()
  })

  it('build an index larger than memory like one built document by document', () => {
    const keys = (store: Store, specs: Doc[]) => {
      const collection = store.collection('test.things')
      if (!collection) throw new Error('no collection')
      for (const spec of specs) store.createIndex(collection, spec)
      return specs.map(({ name }) => {
        const id = collection.indexes.find((index) => index.name === name)?.id ?? 0
        const rows = store.prepare(`SELECT hex(key) AS key, rid FROM keys_${id} ORDER BY key, rid`).all()
        return { name, rows, arrays: collection.indexes.find((index) => index.name === name)?.arrayFields.sort() }
      })
    }
    const specs = [
      { key: { a: 1, c: -1 }, name: 'ac' },
      { key: { own: 1 }, name: 'own', unique: true },
      { key: { b: 1 }, name: 'b', sparse: true },
    ]
    expect(keys(little, specs)).toEqual(keys(ample, specs))
    const things = little.collection('test.things')
    if (!things) throw new Error('no collection')
    expect(() => little.createIndex(things, { key: { course: 1 }, name: 'course', unique: true })).toThrow(
      expect.objectContaining({ code: 11000, message: expect.stringMatching(/dup key: { course: \d+ }/) }),
    )
  })
})

it('keeps row numbers as a set, in order', () => {
  const rows = new RowSet()
  const numbers = [5, 8191, 8192, 31, 32, 2 ** 40, 5]
  expect(numbers.map((n) => rows.add(n))).toEqual([true, true, true, true, true, true, false])
  expect([rows.size, [...rows]]).toEqual([6, [5, 31, 32, 8191, 8192, 2 ** 40]])
})
