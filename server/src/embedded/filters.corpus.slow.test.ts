import { Decimal128, Long, ObjectId } from 'bson'
import { describe, expect, it } from 'vitest'
import { onEveryServer, type Row } from './testing/on-every-server.ts'

const id = (n: number) => new ObjectId(n.toString(16).padStart(24, '0'))
const day = (n: number) => new Date(Date.UTC(2026, 0, n))

onEveryServer((things) => {
  async function ids(docs: Row[], filter: Record<string, unknown>): Promise<unknown[]> {
    await things().deleteMany({})
    await things().insertMany(docs)
    const found = await things().find(filter).sort({ _id: 1 }).toArray()
    return found.map((doc) => doc._id)
  }

  describe('filters', () => {
    const docs: Row[] = [
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
      [{ a: { $type: 'array' } }, [6]],
      [{ a: { $gt: 'a' } }, [4]],
      [{ tags: 'x' }, [1, 3, 4]],
      [{ tags: ['x'] }, [5]],
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
      [{ a: { $exists: 0 } }, [5]],
      [{ a: { $exists: new Long(0n) } }, [5]],
      [{ n: { $elemMatch: { b: 1, c: 2 } } }, []],
      [{ n: { $elemMatch: { b: 2, c: { $gte: 2 } } } }, [2]],
      [{ n: { b: 1 } }, [1]],
      [{ 'n.0.b': 1 }, [2]],
      [{ 'n.1': 2 }, [3]],
      [{ d: { $gte: day(2) } }, [2]],
      [{ o: id(3) }, [3]],
      [{ $or: [{ a: 1 }, { flag: true }] }, [1, 5, 6]],
      [{ $nor: [{ tags: 'x' }, { flag: true }] }, [2, 6]],
      [{ $and: [{ tags: 'x' }, { tags: 'z' }] }, [4]],
      [{ flag: { $ne: true } }, [1, 2, 3, 4, 6]],
      [{ a: { $not: { $gt: 1 } } }, [1, 3, 4, 5]],
      [{ a: { $gte: 1, $not: { $gte: 2 } } }, [1]],
    ])('finds %j, also to change it', async (filter, expected) => {
      expect(await ids(docs, filter)).toEqual(expected)
      // Filters of an update come with BSON's types.
      await things().updateMany(filter, { $set: { changed: true } })
      const changed = await things().find({ changed: true }).sort({ _id: 1 }).toArray()
      expect(changed.map((doc) => doc._id)).toEqual(expected)
    })

    it.each<[Record<string, unknown>, number]>([
      [{ $or: [] }, 2],
      [{ a: { $in: 5 } }, 2],
      [{ a: { $regex: '(' } }, 51091],
    ])('refuses %j', async (filter, code) => {
      await things().insertOne({ a: 1 })
      await expect(things().find(filter).toArray()).rejects.toMatchObject({ code })
    })
  })

  it('sorts types in BSON order, arrays by their extremes, missing as null', async () => {
    const values = [true, 'b', 3, null, new Date(0), { x: 1 }, id(1), new Long(2n), 'a', Decimal128.fromString('2.5')]
    await things().insertMany([
      ...values.map((v, n) => ({ _id: n, v })),
      { _id: 90 },
      { _id: 91, v: [] },
      { _id: 92, v: [0, 9] },
    ])
    const up = await things().find().sort({ v: 1, _id: 1 }).toArray()
    expect(up.map((doc) => doc._id)).toEqual([91, 3, 90, 92, 7, 9, 2, 8, 1, 5, 6, 0, 4])
    const down = await things().find().sort({ v: -1, _id: 1 }).toArray()
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
      [{}, { n: 1, absent: 1, b: true }, { _id: 1, b: { c: 2, d: 3 }, n: [1, 2, 3] }],
      [{}, { _id: 0, 'b.c': 1 }, { b: { c: 2 } }],
      [{}, { b: 0, list: 0, n: 0 }, { _id: 1, a: 1 }],
      [{}, { 'list.x': 1 }, { _id: 1, list: [{ x: 1 }, { x: 2 }] }],
      [{}, { _id: 0, list: { $elemMatch: { x: 2 } } }, { list: [{ x: 2, y: 2 }] }],
    ])('%j %j', async (filter, projection, expected) => {
      await things().insertOne({ ...doc })
      expect(await things().findOne(filter, { projection })).toEqual(expected)
    })

    it('refuses to mix inclusion and exclusion', async () => {
      await things().insertOne({ a: 1 })
      await expect(things().findOne({}, { projection: { a: 1, b: 0 } })).rejects.toMatchObject({
        code: 31254,
      })
    })
  })
})
