import { beforeEach, describe, expect, it } from 'vitest'
import { onEveryServer } from './testing/on-every-server.ts'

onEveryServer((things, connection) => {
  it('counts and lists distinct values', async () => {
    await things().insertMany([{ a: 1, t: ['x', 'y'] }, { a: 2, t: ['y'] }, { a: 2 }, { a: '2' }])
    expect(await things().countDocuments({ a: 2 })).toBe(2)
    expect(await things().estimatedDocumentCount()).toBe(4)
    expect(await things().countDocuments({}, { skip: 1, limit: 2 })).toBe(2)
    expect(await things().distinct('a')).toEqual([1, 2, '2'])
    expect(await things().distinct('t', { a: 1 })).toEqual(['x', 'y'])
  })

  describe('pipelines', () => {
    beforeEach(async () => {
      await things().insertMany([
        { _id: 1, course: 'a', score: 80, tags: ['x', 'y'] },
        { _id: 2, course: 'a', score: 90, tags: ['x'] },
        { _id: 3, course: 'b', score: 70, tags: [] },
      ])
      const names = connection().collection('names')
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
        'matches, sorts and limits',
        [{ $match: { score: { $gt: 75 } } }, { $sort: { score: -1 } }, { $limit: 1 }, { $project: { score: 1 } }],
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
        'returns fields in order, _id first',
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
        'converts ids to strings and back',
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
      expect(await things().aggregate(pipeline).toArray()).toEqual(expected)
    })

    it('writes into another collection', async () => {
      await things()
        .aggregate([{ $match: { course: 'a' } }, { $merge: { into: 'merged' } }])
        .toArray()
      await things()
        .aggregate([{ $match: { course: 'b' } }, { $merge: { into: 'merged' } }])
        .toArray()
      expect(await connection().collection('merged').countDocuments()).toBe(3)
      await things()
        .aggregate([{ $match: { course: 'a' } }, { $out: 'merged' }])
        .toArray()
      expect(await connection().collection('merged').countDocuments()).toBe(2)
    })

    it('refuses a stage it does not know', async () => {
      await expect(
        things()
          .aggregate([{ $nonsense: {} }])
          .toArray(),
      ).rejects.toMatchObject({ code: 40324 })
    })
  })

  it('returns every document of a large result, in batches', async () => {
    const text = 'x'.repeat(100_000)
    await things().insertMany(Array.from({ length: 400 }, (_, n) => ({ _id: n, text })))
    const found = await things().find().sort({ _id: -1 }).toArray()
    expect(found.map((doc) => doc._id)).toEqual(Array.from({ length: 400 }, (_, n) => 399 - n))
    const few = things().find({}, { batchSize: 7 })
    let count = 0
    for await (const _doc of few) if (++count === 20) break
    await few.close()
    expect(
      (
        await things()
          .aggregate([{ $project: { text: 1 } }])
          .toArray()
      ).length,
    ).toBe(400)
  })

  it('finds all matches of a regular expression, empty ones too', async () => {
    await things().insertOne({ text: 'abab' })
    const all = (regex: string) => ({ $regexFindAll: { input: '$text', regex } })
    const found = await things()
      .aggregate([
        { $project: { _id: 0, letters: all('(a)b|x*'), none: all('c'), starts: all('^'), ends: all('(?:)$') } },
      ])
      .toArray()
    expect(found).toEqual([
      {
        letters: [
          { match: 'ab', idx: 0, captures: ['a'] },
          { match: 'ab', idx: 2, captures: ['a'] },
        ],
        none: [],
        starts: [{ match: '', idx: 0, captures: [] }],
        ends: [{ match: '', idx: 4, captures: [] }],
      },
    ])
  })
})
