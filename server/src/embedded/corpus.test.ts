import { Decimal128, Double, Long, ObjectId } from 'bson'
import type { Connection, mongo } from 'mongoose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { servers } from './testing/test-database.ts'

interface Row {
  _id?: number | ObjectId | undefined
  [field: string]: unknown
}
type Docs = Row[]

const id = (n: number) => new ObjectId(n.toString(16).padStart(24, '0'))
const day = (n: number) => new Date(Date.UTC(2026, 0, n))

/** What MongoDB answers, written down once and asked of every server there is. */
describe.each(servers())('$name', ({ open }) => {
  let connection: Connection
  let close: () => Promise<void>
  let things: mongo.Collection<Row>

  beforeAll(async () => {
    ;({ connection, close } = await open())
  })
  afterAll(() => close())
  beforeEach(async () => {
    things = connection.getClient().db(connection.name).collection<Row>('things')
    await things.drop().catch(() => {})
  })

  async function ids(docs: Docs, filter: Record<string, unknown>): Promise<unknown[]> {
    await things.deleteMany({})
    await things.insertMany(docs)
    const found = await things.find(filter).sort({ _id: 1 }).toArray()
    return found.map((doc) => doc._id)
  }

  describe('filters', () => {
    const docs: Docs = [
      { _id: 1, a: 1, tags: ['x', 'y'], n: { b: 1 }, d: day(1) },
      {
        _id: 2,
        a: 2.5,
        tags: [],
        n: [
          { b: 1, c: 1 },
          { b: 2, c: 2 },
        ],
        d: day(2),
      },
      { _id: 3, a: null, tags: 'x', n: [1, 2], o: id(3) },
      { _id: 4, a: 'text', tags: ['y', 'z', 'x'], n: {} },
      { _id: 5, tags: [['x']], n: 5, flag: true },
      { _id: 6, a: [1, 5], tags: ['Y'], n: [], a2: new Long(5n) },
    ]
    it.each<[Record<string, unknown>, number[]]>([
      [{ a: 1 }, [1, 6]],
      [{ a: { $gt: 1 } }, [2, 6]],
      [{ a: { $gt: 2, $lt: 4 } }, [2, 6]],
      [{ a: null }, [3, 5]],
      [{ a: { $lte: null } }, [3, 5]],
      [{ a: { $ne: 1 } }, [2, 3, 4, 5]],
      [{ a: { $in: [null, 'text'] } }, [3, 4, 5]],
      [{ a: { $nin: [1, 2.5] } }, [3, 4, 5]],
      [{ a: { $exists: false } }, [5]],
      [{ a: { $type: 'double' } }, [2]],
      [{ a: { $type: ['int', 'null'] } }, [1, 3, 6]],
      [{ a2: { $type: 'long' } }, [6]],
      [{ a: { $type: 'array' } }, [6]],
      [{ a: { $gt: 'a' } }, [4]],
      [{ tags: 'x' }, [1, 3, 4]],
      [{ tags: ['x'] }, [5]],
      [{ tags: { $all: ['x', 'y'] } }, [1, 4]],
      [{ tags: { $all: ['x'] } }, [1, 3, 4]],
      [{ tags: { $all: [] } }, []],
      [{ tags: { $size: 0 } }, [2]],
      [{ tags: /^y/i }, [1, 4, 6]],
      [{ tags: { $regex: 'Y' } }, [6]],
      [{ tags: { $not: /x/ } }, [2, 5, 6]],
      [{ tags: { $in: [/^z/, 'Y'] } }, [4, 6]],
      [{ tags: { $elemMatch: { $eq: 'z' } } }, [4]],
      [{ 'tags.0': 'y' }, [4]],
      [{ 'n.b': 1 }, [1, 2]],
      [{ 'n.b': null }, [4, 5]],
      [{ 'n.b': { $exists: false } }, [3, 4, 5, 6]],
      [{ 'n.b': 1, 'n.c': 2 }, [2]],
      [{ n: { $elemMatch: { b: 1, c: 2 } } }, []],
      [{ n: { $elemMatch: { b: 2, c: { $gte: 2 } } } }, [2]],
      [{ n: { b: 1 } }, [1]],
      [{ 'n.0.b': 1 }, [2]],
      [{ n: { $size: 2 } }, [2, 3]],
      [{ 'n.1': 2 }, [3]],
      [{ d: { $gte: day(2) } }, [2]],
      [{ o: id(3) }, [3]],
      [{ $or: [{ a: 1 }, { flag: true }] }, [1, 5, 6]],
      [{ $nor: [{ tags: 'x' }, { flag: true }] }, [2, 6]],
      [{ $and: [{ tags: 'x' }, { tags: 'z' }] }, [4]],
      [{ a: { $mod: [2, 1] } }, [1, 6]],
      [{ flag: { $ne: true } }, [1, 2, 3, 4, 6]],
      [
        {
          $expr: { $gt: [{ $size: { $ifNull: [{ $cond: [{ $isArray: '$tags' }, '$tags', []] }, []] } }, 2] },
        },
        [4],
      ],
      [{ a: { $not: { $gt: 1 } } }, [1, 3, 4, 5]],
      [{ a: { $gte: 1, $not: { $gte: 2 } } }, [1]],
    ])('finds %j', async (filter, expected) => {
      expect(await ids(docs, filter)).toEqual(expected)
    })

    it.each<[Record<string, unknown>, number]>([
      [{ $nonsense: 1 }, 2],
      [{ a: { $nonsense: 1 } }, 2],
      [{ $or: [] }, 2],
      [{ a: { $in: 5 } }, 2],
      [{ a: { $regex: '(' } }, 51091],
    ])('refuses %j', async (filter, code) => {
      await things.insertOne({ a: 1 })
      await expect(things.find(filter).toArray()).rejects.toMatchObject({ code })
    })
  })

  it('sorts types in BSON order, arrays by their extremes, missing as null', async () => {
    const values = [
      true,
      'b',
      3,
      null,
      new Date(0),
      { x: 1 },
      id(1),
      new Long(2n),
      'a',
      Decimal128.fromString('2.5'),
    ]
    await things.insertMany([
      ...values.map((v, n) => ({ _id: n, v })),
      { _id: 90 },
      { _id: 91, v: [] },
      { _id: 92, v: [0, 9] },
    ])
    const up = await things.find().sort({ v: 1, _id: 1 }).toArray()
    expect(up.map((doc) => doc._id)).toEqual([91, 3, 90, 92, 7, 9, 2, 8, 1, 5, 6, 0, 4])
    const down = await things.find().sort({ v: -1, _id: 1 }).toArray()
    expect(down.map((doc) => doc._id)).toEqual([4, 0, 6, 5, 1, 8, 92, 2, 9, 7, 3, 90, 91])
  })

  describe('projections', () => {
    const doc = {
      _id: 1,
      a: 1,
      b: { c: 2, d: 3 },
      list: [
        { x: 1, y: 1 },
        { x: 2, y: 2 },
      ],
      n: [1, 2, 3],
    }
    it.each<[Record<string, unknown>, Record<string, unknown>, unknown]>([
      [{}, { a: 1 }, { _id: 1, a: 1 }],
      [{}, { a: 1, _id: 0 }, { a: 1 }],
      [{}, { _id: 1 }, { _id: 1 }],
      [{}, { _id: 0, 'b.c': 1 }, { b: { c: 2 } }],
      [{}, { b: 0, list: 0, n: 0 }, { _id: 1, a: 1 }],
      [{}, { 'list.x': 1 }, { _id: 1, list: [{ x: 1 }, { x: 2 }] }],
      [{}, { _id: 0, list: 0, b: 0, n: { $slice: -1 } }, { a: 1, n: [3] }],
      [{}, { _id: 0, n: { $slice: [1, 1] }, a: 1 }, { a: 1, n: [2] }],
      [{}, { _id: 0, list: { $elemMatch: { x: 2 } } }, { list: [{ x: 2, y: 2 }] }],
      [{ 'list.x': 2 }, { _id: 0, 'list.$': 1 }, { list: [{ x: 2, y: 2 }] }],
      [{}, { _id: 0, sum: { $add: ['$a', '$b.c'] } }, { sum: 3 }],
    ])('%j %j', async (filter, projection, expected) => {
      await things.insertOne({ ...doc })
      expect(await things.findOne(filter, { projection })).toEqual(expected)
    })

    it('refuses to mix taking and leaving out', async () => {
      await things.insertOne({ a: 1 })
      await expect(things.findOne({}, { projection: { a: 1, b: 0 } })).rejects.toMatchObject({ code: 31254 })
    })
  })

  describe('updates', () => {
    const start = {
      _id: 1,
      n: 5,
      s: 'text',
      list: [1, 2, 3],
      docs: [
        { k: 1, v: 1 },
        { k: 2, v: 2 },
      ],
      sub: { x: 1 },
    }
    it.each<[string, Record<string, unknown>, Record<string, unknown>, Record<string, unknown>]>([
      ['sets below', {}, { $set: { 'sub.y.z': 2 } }, { sub: { x: 1, y: { z: 2 } } }],
      ['sets an element', {}, { $set: { 'list.1': 9 } }, { list: [1, 9, 3] }],
      ['fills up with null', {}, { $set: { 'list.5': 9 } }, { list: [1, 2, 3, null, null, 9] }],
      ['unsets', {}, { $unset: { 'sub.x': 1, 'list.0': 1 } }, { sub: {}, list: [null, 2, 3] }],
      ['increments', {}, { $inc: { n: 2, fresh: 3 } }, { n: 7, fresh: 3 }],
      ['multiplies', {}, { $mul: { n: 2.5, fresh: 3 } }, { n: 12.5, fresh: 0 }],
      ['keeps the least', {}, { $min: { n: 3, fresh: 1 } }, { n: 3, fresh: 1 }],
      ['keeps the most', {}, { $max: { n: 3 } }, { n: 5 }],
      ['renames', {}, { $rename: { s: 'sub.t' } }, { s: undefined, sub: { x: 1, t: 'text' } }],
      ['pushes', {}, { $push: { list: 4 } }, { list: [1, 2, 3, 4] }],
      [
        'pushes sorted and cut',
        {},
        { $push: { list: { $each: [9, 0], $sort: -1, $slice: 3 } } },
        { list: [9, 3, 2] },
      ],
      ['pushes at a place', {}, { $push: { list: { $each: [7], $position: 1 } } }, { list: [1, 7, 2, 3] }],
      ['adds to a set', {}, { $addToSet: { list: { $each: [3, 4, 4] } } }, { list: [1, 2, 3, 4] }],
      ['pulls by value', {}, { $pull: { list: 2 } }, { list: [1, 3] }],
      ['pulls by condition', {}, { $pull: { list: { $gte: 2 } } }, { list: [1] }],
      ['pulls documents', {}, { $pull: { docs: { k: 1 } } }, { docs: [{ k: 2, v: 2 }] }],
      ['pulls all', {}, { $pullAll: { list: [1, 3] } }, { list: [2] }],
      ['pops', {}, { $pop: { list: -1 } }, { list: [2, 3] }],
      [
        'writes where the filter matched',
        { 'docs.k': 2 },
        { $set: { 'docs.$.v': 9 } },
        {
          docs: [
            { k: 1, v: 1 },
            { k: 2, v: 9 },
          ],
        },
      ],
      [
        'writes every element',
        {},
        { $inc: { 'docs.$[].v': 1 } },
        {
          docs: [
            { k: 1, v: 2 },
            { k: 2, v: 3 },
          ],
        },
      ],
    ])('%s', async (_name, filter, update, expected) => {
      await things.insertOne({ ...start })
      expect(await things.updateOne({ _id: 1, ...filter }, update)).toMatchObject({ matchedCount: 1 })
      expect(await things.findOne()).toEqual({ ...start, ...expected })
    })

    it('writes the elements an array filter names', async () => {
      await things.insertOne({ ...start })
      await things.updateOne({}, { $set: { 'docs.$[d].v': 0 } }, { arrayFilters: [{ 'd.k': { $gt: 1 } }] })
      expect(await things.findOne()).toMatchObject({ docs: [{ v: 1 }, { v: 0 }] })
    })

    it('computes with a pipeline', async () => {
      await things.insertOne({ ...start })
      await things.updateOne({}, [{ $set: { n: { $add: ['$n', '$sub.x'] } } }, { $unset: 's' }])
      expect(await things.findOne({}, { projection: { n: 1, s: 1 } })).toEqual({ _id: 1, n: 6 })
    })

    it.each<[string, Record<string, unknown>, number]>([
      ['$inc on text', { $inc: { s: 1 } }, 14],
      ['$inc by text', { $inc: { n: 'x' } }, 14],
      ['$push on a number', { $push: { n: 1 } }, 2],
      ['$addToSet on a number', { $addToSet: { n: 1 } }, 2],
      ['$pull on a number', { $pull: { n: 1 } }, 2],
      ['$pop on a number', { $pop: { n: 1 } }, 14],
      ['$set through a scalar', { $set: { 's.x': 1 } }, 28],
      ['$set through an array by name', { $set: { 'list.x': 1 } }, 28],
      ['a conflict', { $set: { n: 1 }, $inc: { n: 1 } }, 40],
      ['a conflict above', { $set: { sub: 1, 'sub.x': 1 } }, 40],
      ['a change of _id', { $set: { _id: 2 } }, 66],
      ['an unknown operator', { $nonsense: { a: 1 } }, 9],
      ['$ without a match', { $set: { 'list.$': 1 } }, 2],
      ['an unknown array filter', { $set: { 'list.$[q]': 1 } }, 2],
    ])('refuses %s and changes nothing', async (_name, update, code) => {
      await things.insertOne({ ...start })
      await expect(things.updateOne({ _id: 1 }, update)).rejects.toMatchObject({ code })
      expect(await things.findOne()).toEqual(start)
    })

    it('inserts what the filter says when nothing was found', async () => {
      const result = await things.updateOne(
        { a: 1, 'b.c': { $eq: 2 }, d: { $gt: 5 } },
        { $set: { e: 3 }, $setOnInsert: { f: 4 } },
        { upsert: true },
      )
      expect(result).toMatchObject({ matchedCount: 0, upsertedCount: 1 })
      expect(await things.findOne()).toEqual({ _id: result.upsertedId, a: 1, b: { c: 2 }, e: 3, f: 4 })
      await things.updateOne({ a: 1 }, { $setOnInsert: { f: 5 } }, { upsert: true })
      expect(await things.findOne()).toMatchObject({ f: 4 })
    })

    it('replaces, keeping _id', async () => {
      await things.insertOne({ ...start })
      await things.replaceOne({ n: 5 }, { other: 1 })
      expect(await things.find().toArray()).toEqual([{ _id: 1, other: 1 }])
    })

    it('says what it matched and what it changed', async () => {
      await things.insertMany([{ a: 1 }, { a: 1, b: 1 }, { a: 2 }])
      expect(await things.updateMany({ a: 1 }, { $set: { b: 1 } })).toMatchObject({
        matchedCount: 2,
        modifiedCount: 1,
      })
      expect(await things.deleteMany({ a: 1 })).toMatchObject({ deletedCount: 2 })
    })

    it('keeps the types of numbers it does not change', async () => {
      await things.insertOne({
        _id: 1,
        d: new Double(5),
        l: Long.fromNumber(5),
        m: Decimal128.fromString('1.10'),
        i: 5,
      })
      const update: Record<string, Record<string, unknown>> = {
        $inc: { i: 1, l: 1 },
        $set: { e: new Double(2) },
      }
      await things.updateOne({}, update)
      const doc = await things.findOne({}, { promoteValues: false })
      expect(doc).toMatchObject({ d: new Double(5), e: new Double(2), m: Decimal128.fromString('1.10') })
      expect(String(doc?.l)).toBe('6')
      expect(
        await things.countDocuments({ d: { $type: 'double' }, l: { $type: 'long' }, i: { $type: 'int' } }),
      ).toBe(1)
    })
  })

  it('finds and changes one, before or after, sorted', async () => {
    await things.insertMany([
      { _id: 1, n: 1 },
      { _id: 2, n: 2 },
    ])
    const plusTen: Record<string, Record<string, unknown>> = { $inc: { n: 10 } }
    const before = await things.findOneAndUpdate({}, plusTen, {
      sort: { n: -1 },
    })
    const after = await things.findOneAndUpdate({}, plusTen, {
      sort: { n: 1 },
      returnDocument: 'after',
    })
    expect([before, after]).toEqual([
      { _id: 2, n: 2 },
      { _id: 1, n: 11 },
    ])
    expect(await things.findOneAndDelete({ _id: 1 })).toEqual({ _id: 1, n: 11 })
    expect(await things.findOneAndUpdate({ _id: 9 }, { $set: { n: 1 } })).toBeNull()
    const made = await things.findOneAndUpdate(
      { _id: 9 },
      { $set: { n: 1 } },
      { upsert: true, returnDocument: 'after' },
    )
    expect(made).toEqual({ _id: 9, n: 1 })
    expect(await things.findOneAndReplace({ _id: 9 }, { m: 2 }, { returnDocument: 'after' })).toEqual({
      _id: 9,
      m: 2,
    })
  })

  describe('unique indexes', () => {
    it('refuse a second of the same and say which', async () => {
      await things.createIndex({ email: 1, course: -1 }, { unique: true })
      await things.insertOne({ email: 'a', course: 1 })
      await things.insertOne({ email: 'a', course: 2 })
      const refused = things.insertOne({ email: 'a', course: 1 })
      await expect(refused).rejects.toMatchObject({
        code: 11000,
        keyPattern: { email: 1, course: -1 },
        keyValue: { email: 'a', course: 1 },
      })
      await expect(things.updateOne({ course: 2 }, { $set: { course: 1 } })).rejects.toMatchObject({
        code: 11000,
      })
      await expect(things.insertOne({ _id: 1 })).resolves.toBeDefined()
      await expect(things.insertOne({ _id: 1, email: 'z' })).rejects.toMatchObject({
        keyPattern: { _id: 1 },
      })
    })

    it('count missing as null, unless sparse or partial', async () => {
      await things.createIndex({ a: 1 }, { unique: true })
      await things.createIndex({ b: 1 }, { unique: true, sparse: true })
      await things.createIndex(
        { c: 1 },
        { unique: true, partialFilterExpression: { c: { $type: 'string' } } },
      )
      await things.insertOne({ a: 1, c: null })
      await things.insertOne({ a: 2, c: null })
      await things.insertOne({})
      await expect(things.insertOne({ b: 1 })).rejects.toMatchObject({ code: 11000, keyValue: { a: null } })
      await things.insertOne({ a: 3, b: 1, c: 'x' })
      await expect(things.insertOne({ a: 4, b: 1 })).rejects.toMatchObject({ code: 11000 })
      await expect(things.insertOne({ a: 5, c: 'x' })).rejects.toMatchObject({ code: 11000 })
    })

    it('look at each element of an array, but not twice within one document', async () => {
      await things.createIndex({ tags: 1 }, { unique: true })
      await things.insertOne({ tags: ['x', 'x', 'y'] })
      await expect(things.insertOne({ tags: ['z', 'y'] })).rejects.toMatchObject({ code: 11000 })
    })

    it('cannot be made over duplicates', async () => {
      await things.insertMany([{ a: 1 }, { a: 1 }])
      await expect(things.createIndex({ a: 1 }, { unique: true })).rejects.toMatchObject({ code: 11000 })
      expect((await things.indexes()).map((index) => index.name)).toEqual(['_id_'])
    })
  })

  it('refuses an index over two arrays', async () => {
    await things.createIndex({ a: 1, b: 1 })
    await expect(things.insertOne({ a: [1], b: [1] })).rejects.toMatchObject({ code: 171 })
  })

  it('refuses an index that contradicts one there is, and drops indexes', async () => {
    await things.createIndex({ a: 1 })
    await things.createIndex({ a: 1 })
    await expect(things.createIndex({ b: 1 }, { name: 'a_1' })).rejects.toMatchObject({ code: 86 })
    await expect(things.createIndex({ a: 1 }, { unique: true })).rejects.toMatchObject({ code: 86 })
    await things.dropIndex('a_1')
    await expect(things.dropIndex('a_1')).rejects.toMatchObject({ code: 27 })
    expect(await things.indexes()).toMatchObject([{ key: { _id: 1 }, name: '_id_' }])
  })

  it('reports each failure of a bulk write, and goes on when it is unordered', async () => {
    await things.insertOne({ _id: 2 })
    const documents = [1, 2, 3].map((n) => ({ _id: n }))
    const unordered = things.insertMany(documents, { ordered: false })
    await expect(unordered).rejects.toMatchObject({ code: 11000, insertedCount: 2 })
    const result = await things.bulkWrite([
      { insertOne: { document: { _id: 4 } } },
      { updateOne: { filter: { _id: 9 }, update: { $set: { a: 1 } }, upsert: true } },
      { updateMany: { filter: {}, update: { $set: { b: 1 } } } },
      { deleteOne: { filter: { _id: 1 } } },
    ])
    expect(result).toMatchObject({ insertedCount: 1, upsertedCount: 1, modifiedCount: 5, deletedCount: 1 })
    await expect(things.insertMany([{ _id: 5 }, { _id: 2 }, { _id: 6 }])).rejects.toMatchObject({
      code: 11000,
    })
    expect(await things.countDocuments({ _id: { $in: [5, 6] } })).toBe(1)
  })

  it('counts and tells what is distinct', async () => {
    await things.insertMany([{ a: 1, t: ['x', 'y'] }, { a: 2, t: ['y'] }, { a: 2 }, { a: '2' }])
    expect(await things.countDocuments({ a: 2 })).toBe(2)
    expect(await things.estimatedDocumentCount()).toBe(4)
    expect(await things.countDocuments({}, { skip: 1, limit: 2 })).toBe(2)
    expect(await things.distinct('a')).toEqual([1, 2, '2'])
    expect(await things.distinct('t', { a: 1 })).toEqual(['x', 'y'])
  })

  describe('pipelines', () => {
    beforeEach(async () => {
      await things.insertMany([
        { _id: 1, course: 'a', score: 80, tags: ['x', 'y'] },
        { _id: 2, course: 'a', score: 90, tags: ['x'] },
        { _id: 3, course: 'b', score: 70, tags: [] },
      ])
      const names = connection.collection('names')
      await names.deleteMany({})
      await names.insertMany([
        { code: 'a', name: 'Algebra' },
        { code: 'b', name: 'Biology' },
      ])
    })

    it.each<[string, Record<string, unknown>[], unknown[]]>([
      [
        'groups',
        [
          { $group: { _id: '$course', mean: { $avg: '$score' }, n: { $sum: 1 }, all: { $push: '$score' } } },
          { $sort: { _id: 1 } },
        ],
        [
          { _id: 'a', mean: 85, n: 2, all: [80, 90] },
          { _id: 'b', mean: 70, n: 1, all: [70] },
        ],
      ],
      [
        'unwinds',
        [{ $unwind: '$tags' }, { $sortByCount: '$tags' }],
        [
          { _id: 'x', count: 2 },
          { _id: 'y', count: 1 },
        ],
      ],
      [
        'matches, sorts and cuts',
        [
          { $match: { score: { $gt: 75 } } },
          { $sort: { score: -1 } },
          { $limit: 1 },
          { $project: { score: 1 } },
        ],
        [{ _id: 2, score: 90 }],
      ],
      ['counts', [{ $match: { course: 'a' } }, { $count: 'n' }], [{ n: 2 }]],
      ['counts nothing', [{ $match: { course: 'z' } }, { $count: 'n' }], []],
      [
        'joins',
        [
          { $match: { _id: 3 } },
          { $lookup: { from: 'names', localField: 'course', foreignField: 'code', as: 'named' } },
          { $project: { _id: 0, names: '$named.name' } },
        ],
        [{ names: ['Biology'] }],
      ],
      [
        'joins with a pipeline',
        [
          { $match: { _id: 1 } },
          {
            $lookup: {
              from: 'names',
              let: { c: '$course' },
              pipeline: [{ $match: { $expr: { $eq: ['$code', '$$c'] } } }, { $project: { _id: 0, name: 1 } }],
              as: 'named',
            },
          },
          { $project: { _id: 0, named: 1 } },
        ],
        [{ named: [{ name: 'Algebra' }] }],
      ],
      [
        'gives fields in their order, _id first',
        [
          { $match: { _id: 1 } },
          { $project: { tags: { $slice: ['$tags', 1] }, score: 1, twice: { $multiply: ['$score', 2] } } },
        ],
        [{ _id: 1, score: 80, tags: ['x'], twice: 160 }],
      ],
      [
        'numbers rows in a window',
        [
          { $setWindowFields: { sortBy: { score: -1 }, output: { rank: { $documentNumber: {} } } } },
          { $project: { rank: 1 } },
          { $sort: { _id: 1 } },
        ],
        [
          { _id: 1, rank: 2 },
          { _id: 2, rank: 1 },
          { _id: 3, rank: 3 },
        ],
      ],
      [
        'turns ids into text and back',
        [
          { $match: { _id: 1 } },
          {
            $project: {
              _id: 0,
              text: { $toString: { $toObjectId: '0123456789abcdef01234567' } },
              n: { $toString: '$score' },
            },
          },
        ],
        [{ text: '0123456789abcdef01234567', n: '80' }],
      ],
      [
        'branches',
        [
          {
            $facet: {
              top: [{ $sort: { score: -1 } }, { $limit: 1 }, { $project: { _id: 1 } }],
              n: [{ $count: 'all' }],
            },
          },
        ],
        [{ top: [{ _id: 2 }], n: [{ all: 3 }] }],
      ],
      [
        'adds fields',
        [
          { $match: { _id: 1 } },
          { $addFields: { pass: { $gte: ['$score', 50] }, k: { $size: '$tags' } } },
          { $unset: 'tags' },
        ],
        [{ _id: 1, course: 'a', score: 80, pass: true, k: 2 }],
      ],
    ])('%s', async (_name, pipeline, expected) => {
      expect(await things.aggregate(pipeline).toArray()).toEqual(expected)
    })

    it('writes into another collection', async () => {
      await things.aggregate([{ $match: { course: 'a' } }, { $merge: { into: 'merged' } }]).toArray()
      await things.aggregate([{ $match: { course: 'b' } }, { $merge: { into: 'merged' } }]).toArray()
      expect(await connection.collection('merged').countDocuments()).toBe(3)
      await things.aggregate([{ $match: { course: 'a' } }, { $out: 'merged' }]).toArray()
      expect(await connection.collection('merged').countDocuments()).toBe(2)
    })

    it('refuses a stage it does not know', async () => {
      await expect(things.aggregate([{ $nonsense: {} }]).toArray()).rejects.toMatchObject({ code: 40324 })
    })
  })

  it('gives every document of a large answer, in batches', async () => {
    const text = 'x'.repeat(100_000)
    await things.insertMany(Array.from({ length: 400 }, (_, n) => ({ _id: n, text })))
    const found = await things.find().sort({ _id: -1 }).toArray()
    expect(found.map((doc) => doc._id)).toEqual(Array.from({ length: 400 }, (_, n) => 399 - n))
    const few = things.find({}, { batchSize: 7 })
    let count = 0
    for await (const _doc of few) if (++count === 20) break
    await few.close()
    expect((await things.aggregate([{ $project: { text: 1 } }]).toArray()).length).toBe(400)
  })
})
