import { expect, it } from 'vitest'
import { onEveryServer } from './testing/on-every-server.ts'

type Update = Record<string, unknown> | Record<string, unknown>[]

/** Of `$cond` and `$switch`. */
const then = (value: unknown) => Object.fromEntries([['then', value]])

/** What MongoDB refuses of an update's arguments is refused, and what it takes does what it does there. */
onEveryServer((things) => {
  const start = { _id: 1, n: 5, none: null, list: [3, 1], docs: [{ x: 1 }, { y: 2 }], sub: { x: 1 } }

  it.each<[Update, number]>([
    [{ $push: { list: { $each: [2], $position: 'x' } } }, 2],
    [{ $push: { list: { $each: [2], $position: 1.5 } } }, 2],
    [{ $push: { list: { $each: [2], $slice: 'x' } } }, 2],
    [{ $push: { list: { $each: [2], $slice: 1.5 } } }, 2],
    [{ $push: { list: { $each: [2], $slice: null } } }, 2],
    [{ $push: { list: { $each: [2], $sort: 2 } } }, 2],
    [{ $push: { list: { $each: [2], $sort: 'x' } } }, 2],
    [{ $push: { docs: { $each: [], $sort: {} } } }, 2],
    [{ $push: { docs: { $each: [], $sort: { x: 0 } } } }, 2],
    [{ $addToSet: { list: { $each: [2], $slice: 1 } } }, 2],
    [{ $currentDate: { at: { $type: 'date', absent: 1 } } }, 2],
    [{ $bit: { n: {} } }, 2],
    [{ $bit: { none: { or: 4 } } }, 2],
    [[{ $set: { a: 1 }, $unset: 'n' }], 40323],
    [[{ $match: { n: 5 } }], 72],
    [[{ $absent: { n: 5 } }], 72],
    [[{ $replaceRoot: { newRoot: '$sub', absent: 1 } }], 40415],
    [[{ $replaceRoot: {} }], 40414],
    [[{ $set: 5 }], 40272],
    [[{ $addFields: [1] }], 40272],
    [[{ $set: { a: 1, 'a.b': 2 } }], 40176],
    [[{ $set: { a: {} } }], 40180],
    [[{ $unset: 5 }], 31002],
    [[{ $unset: ['n', 5] }], 31120],
    [[{ $project: 5 }], 15969],
    [[{ $set: { a: { $cond: { if: true, ...then(1), else: 2, absent: 3 } } } }], 17083],
    [[{ $set: { a: { $size: '$none' } } }], 17124],
    [[{ $set: { a: { $mod: ['$n', 0] } } }], 16610],
    [[{ $set: { a: { $mergeObjects: ['$sub', 'x'] } } }], 40400],
    [[{ $set: { a: { $switch: { branches: [{ case: false, ...then(1) }] } } } }], 40066],
  ])('refuses %j in words, and changes nothing', async (update, code) => {
    await things().insertOne({ ...start })
    const refused = things().updateOne({ _id: 1 }, update)
    await expect(refused).rejects.toMatchObject({ code, message: expect.stringMatching(/\w+ \$?\w+ \w+/) })
    expect(await things().findOne()).toEqual(start)
  })

  it.each<[Update, Record<string, unknown>]>([
    [{ $pull: { docs: { x: { $exists: 0 } } } }, { docs: [{ x: 1 }] }],
    [
      [{ $set: { 'docs.z': '$n' } }],
      {
        docs: [
          { x: 1, z: 5 },
          { y: 2, z: 5 },
        ],
      },
    ],
    [[{ $set: { 'list.z': 1 } }], { list: [{ z: 1 }, { z: 1 }] }],
    [[{ $set: { 'n.z': 1 } }], { n: { z: 1 } }],
    [[{ $set: { sub: { y: '$n' } } }], { sub: { x: 1, y: 5 } }],
    [[{ $set: { 'sub.y': 1, 'sub.z.a': 2 } }], { sub: { x: 1, y: 1, z: { a: 2 } } }],
    [[{ $set: { sub: { $literal: { y: 1 } } } }], { sub: { y: 1 } }],
    [[{ $set: { n: '$list', list: '$n' } }], { n: [3, 1], list: 5 }],
    [[{ $set: { none: '$$REMOVE' } }], { none: undefined }],
    [[{ $set: { none: '$absent' } }], { none: undefined }],
    [
      [{ $project: { n: 1, sum: { $sum: '$list' } } }],
      { n: 5, sum: 4, list: undefined, none: undefined, docs: undefined, sub: undefined },
    ],
    [[{ $set: { a: { $toUpper: '$none' }, b: { $toLower: '$absent' } } }], { a: '', b: '' }],
    [[{ $set: { a: { $cond: ['$none', 1, { $cond: { if: '', ...then(2), else: 3 } }] } } }], { a: 2 }],
    [[{ $set: { a: { $switch: { branches: [{ case: 0, ...then(1) }], default: '$n' } } } }], { a: 5 }],
  ])('%j', async (update, expected) => {
    await things().insertOne({ ...start })
    await things().updateOne({ _id: 1 }, update)
    expect({ ...(await things().findOne()) }).toEqual({ ...start, ...expected })
  })

  it('takes a date for each boolean', async () => {
    await things().insertOne({ _id: 1 })
    const update: Update = { $currentDate: { at: false } }
    await things().updateOne({ _id: 1 }, update)
    expect((await things().findOne())?.at).toBeInstanceOf(Date)
  })

  it.each<[unknown, Record<string, unknown>]>([
    [
      'docs.z',
      {
        docs: [
          { x: 1, z: 1 },
          { y: 2, z: 1 },
        ],
      },
    ],
    ['sub.z', { sub: { x: 1, z: 1 } }],
    ['n.z', { n: { z: 1 } }],
  ])('adds %j in a pipeline as in an update', async (path, expected) => {
    await things().insertOne({ ...start })
    for (const stage of ['$set', '$addFields']) {
      const [found] = await things()
        .aggregate([{ [stage]: { [String(path)]: 1 } }])
        .toArray()
      expect(found).toEqual({ ...start, ...expected })
    }
  })
})
