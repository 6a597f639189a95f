import { describe, expect, it } from 'vitest'
import { onEveryServer, type Row } from './testing/on-every-server.ts'

/** Where `$`, `$[]` and `$[name]` point is decided once, by the document as it was before the update. */
onEveryServer((things) => {
  const start = {
    _id: 1,
    docs: [
      { k: 1, v: 1, w: [1, 2] },
      { k: 2, v: 2, w: [3, 4] },
      { k: 2, v: 3, w: [5, 6] },
    ],
    list: [1, 2, 3],
  }
  type Options = { arrayFilters?: Record<string, unknown>[] }
  type Case = [string, Record<string, unknown>, Record<string, unknown>, Options, unknown[]]
  const [first, second, third] = start.docs
  const cases: Case[] = [
    [
      'two fields of the matched element, one of which the filter asks about',
      { 'docs.k': 2 },
      { $set: { 'docs.$.k': 9, 'docs.$.v': 9 } },
      {},
      [first, { k: 9, v: 9, w: [3, 4] }, third],
    ],
    [
      'two operators on the matched element',
      { 'docs.k': 2 },
      { $inc: { 'docs.$.k': 5 }, $set: { 'docs.$.v': 'x' }, $push: { 'docs.$.w': 0 }, $unset: { 'docs.$.absent': 1 } },
      {},
      [first, { k: 7, v: 'x', w: [3, 4, 0] }, third],
    ],
    [
      'an element found by $elemMatch, taken out of the condition by the update',
      { docs: { $elemMatch: { k: 2, v: 3 } } },
      { $unset: { 'docs.$.k': 1 }, $max: { 'docs.$.v': 10 }, $pull: { 'docs.$.w': 5 } },
      {},
      [first, second, { v: 10, w: [6] }],
    ],
    [
      'an array filter whose field the update changes',
      {},
      { $set: { 'docs.$[d].k': 1, 'docs.$[d].v': 0 } },
      { arrayFilters: [{ 'd.k': 2 }] },
      [first, { k: 1, v: 0, w: [3, 4] }, { k: 1, v: 0, w: [5, 6] }],
    ],
    [
      'two array filters, the first of which would move elements into the second',
      {},
      { $set: { 'docs.$[a].k': 2, 'docs.$[b].v': 'two' } },
      { arrayFilters: [{ 'a.k': 1 }, { 'b.k': 2 }] },
      [
        { ...first, k: 2 },
        { ...second, v: 'two' },
        { ...third, v: 'two' },
      ],
    ],
    [
      'nested arrays',
      {},
      { $inc: { 'docs.$[d].w.$[n]': 10 }, $min: { 'docs.$[d].k': 0 } },
      { arrayFilters: [{ 'd.k': 2 }, { n: { $gte: 4 } }] },
      [first, { k: 0, v: 2, w: [3, 14] }, { k: 0, v: 3, w: [15, 16] }],
    ],
    [
      'every element and its elements',
      {},
      { $inc: { 'docs.$[].w.$[]': 2 }, $set: { 'docs.$[].v': 0 } },
      {},
      [
        { k: 1, v: 0, w: [3, 4] },
        { k: 2, v: 0, w: [5, 6] },
        { k: 2, v: 0, w: [7, 8] },
      ],
    ],
    [
      'the matched element, and a filter within it',
      { 'docs.v': 3 },
      { $set: { 'docs.$.w.$[n]': 0, 'docs.$.v': 4 } },
      { arrayFilters: [{ n: 5 }] },
      [first, second, { k: 2, v: 4, w: [0, 6] }],
    ],
  ]

  it.each(cases)('updates %s', async (_name, filter, update, options, docs) => {
    await things().insertOne({ ...start })
    await things().updateOne({ _id: 1, ...filter }, update, options)
    expect(await things().findOne()).toEqual({ ...start, docs })
  })

  it.each(cases)('finds and modifies %s', async (_name, filter, update, options, docs) => {
    await things().insertOne({ ...start })
    const after = await things().findOneAndUpdate({ _id: 1, ...filter }, update, {
      ...options,
      returnDocument: 'after',
    })
    expect(after).toEqual({ ...start, docs })
  })

  it('decides for each document of many', async () => {
    await things().insertMany([
      { _id: 1, a: [{ k: 1 }, { k: 2 }] },
      { _id: 2, a: [{ k: 2 }, { k: 1 }] },
    ])
    await things().updateMany({ 'a.k': 2 }, { $set: { 'a.$.k': 1, 'a.$.seen': true } })
    expect(await things().find().sort({ _id: 1 }).toArray()).toEqual([
      { _id: 1, a: [{ k: 1 }, { k: 1, seen: true }] },
      { _id: 2, a: [{ k: 1, seen: true }, { k: 1 }] },
    ])
  })

  it.each<[string, Record<string, unknown>, Record<string, unknown>, Options, number]>([
    ['two positions in one path', { 'docs.w': 3 }, { $set: { 'docs.$.w.$': 0 } }, {}, 2],
    ['a position the filter does not give', { 'docs.k': { $ne: 7 } }, { $set: { 'docs.$.v': 0 } }, {}, 2],
    [
      'two identifiers that meet in one element',
      {},
      { $set: { 'docs.$[a].v': 0, 'docs.$[b].v': 1 } },
      { arrayFilters: [{ 'a.k': 2 }, { 'b.v': 2 }] },
      40,
    ],
    ['a position and its number', { 'docs.k': 2 }, { $set: { 'docs.$.v': 0, 'docs.1.v': 1 } }, {}, 40],
    ['every element and one of them', {}, { $set: { 'docs.$[].v': 0, 'docs.1.v': 1 } }, {}, 40],
    ['an unused identifier', {}, { $set: { list: [] } }, { arrayFilters: [{ d: 1 }] }, 9],
    ['one identifier twice', {}, { $set: { 'list.$[d]': 1 } }, { arrayFilters: [{ d: 1 }, { d: 2 }] }, 9],
    ['two identifiers in one filter', {}, { $set: { 'list.$[d]': 1 } }, { arrayFilters: [{ d: 1, e: 2 }] }, 9],
    ['an identifier in capitals', {}, { $set: { 'list.$[D]': 1 } }, { arrayFilters: [{ D: 1 }] }, 2],
    ['to rename into a field that is set', {}, { $rename: { list: 'other' }, $set: { other: 1 } }, {}, 40],
    ['to rename a field that is set', {}, { $rename: { list: 'other' }, $set: { list: 1 } }, {}, 40],
    ['to rename by position', { list: 2 }, { $rename: { 'list.$': 'other' } }, {}, 2],
    ['to rename an element', {}, { $rename: { 'list.0': 'other' } }, {}, 2],
    ['to rename into itself', {}, { $rename: { list: 'list.a' } }, {}, 2],
  ])('refuses %s and changes nothing', async (_name, filter, update, options, code) => {
    await things().insertOne({ ...start })
    await expect(things().updateOne({ _id: 1, ...filter }, update, options)).rejects.toMatchObject({ code })
    expect(await things().findOne()).toEqual(start)
  })

  describe('an upsert', () => {
    it('has no element that matched', async () => {
      const refused = things().updateOne({ 'docs.k': 1 }, { $set: { 'docs.$.v': 1 } }, { upsert: true })
      await expect(refused).rejects.toMatchObject({ code: 2 })
      expect(await things().countDocuments()).toBe(0)
    })

    it('updates every element of an array the filter gives', async () => {
      const update: Record<string, Record<string, unknown>> = { $inc: { 'list.$[]': 1, n: 1 } }
      await things().updateOne({ list: [1, 2] }, update, { upsert: true })
      expect(await things().findOne({}, { projection: { _id: 0 } })).toEqual({ list: [2, 3], n: 1 })
    })

    it.each<Row>([{ $and: [{ a: 1 }, { a: 2 }] }, { a: { b: 1 }, 'a.c': 1 }])(
      'refuses %j, which gives a field two values',
      async (filter) => {
        await expect(things().updateOne(filter, { $set: { n: 1 } }, { upsert: true })).rejects.toMatchObject({
          code: 54,
        })
      },
    )
  })

  it('adds new fields in the order of their names, numbers as numbers', async () => {
    await things().insertOne({ _id: 1, m: 0 })
    const update: Record<string, Record<string, unknown>> = { $set: { z: 1, 'n.10': 1 }, $inc: { b: 1, 'n.9': 1 } }
    await things().updateOne({}, update)
    expect(JSON.stringify(await things().findOne())).toBe('{"_id":1,"m":0,"b":1,"n":{"9":1,"10":1},"z":1}')
  })
})
