import { Decimal128, Double, Long } from 'bson'
import { describe, expect, it } from 'vitest'
import { onEveryServer } from './testing/on-every-server.ts'

onEveryServer((things) => {
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
      ['fills with null', {}, { $set: { 'list.5': 9 } }, { list: [1, 2, 3, null, null, 9] }],
      ['unsets', {}, { $unset: { 'sub.x': 1, 'list.0': 1 } }, { sub: {}, list: [null, 2, 3] }],
      ['increments', {}, { $inc: { n: 2, fresh: 3 } }, { n: 7, fresh: 3 }],
      ['sets the minimum', {}, { $min: { n: 3, fresh: 1 } }, { n: 3, fresh: 1 }],
      ['sets the maximum', {}, { $max: { n: 3 } }, { n: 5 }],
      ['renames', {}, { $rename: { s: 'sub.t' } }, { s: undefined, sub: { x: 1, t: 'text' } }],
      ['pushes', {}, { $push: { list: 4 } }, { list: [1, 2, 3, 4] }],
      ['adds to a set', {}, { $addToSet: { list: { $each: [3, 4, 4] } } }, { list: [1, 2, 3, 4] }],
      ['pulls by value', {}, { $pull: { list: 2 } }, { list: [1, 3] }],
      ['pulls by condition', {}, { $pull: { list: { $gte: 2 } } }, { list: [1] }],
      ['pulls documents', {}, { $pull: { docs: { k: 1 } } }, { docs: [{ k: 2, v: 2 }] }],
      ['pops', {}, { $pop: { list: -1 } }, { list: [2, 3] }],
      [
        'updates the element that the filter matched',
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
        'updates every element',
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
      await things().insertOne({ ...start })
      expect(await things().updateOne({ _id: 1, ...filter }, update)).toMatchObject({ matchedCount: 1 })
      expect(await things().findOne()).toEqual({ ...start, ...expected })
    })

    it('updates the elements that match an array filter', async () => {
      await things().insertOne({ ...start })
      await things().updateOne({}, { $set: { 'docs.$[d].v': 0 } }, { arrayFilters: [{ 'd.k': { $gt: 1 } }] })
      expect(await things().findOne()).toMatchObject({ docs: [{ v: 1 }, { v: 0 }] })
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
      ['$ without a match', { $set: { 'list.$': 1 } }, 2],
      ['an unknown array filter', { $set: { 'list.$[q]': 1 } }, 2],
    ])('refuses %s and changes nothing', async (_name, update, code) => {
      await things().insertOne({ ...start })
      await expect(things().updateOne({ _id: 1 }, update)).rejects.toMatchObject({ code })
      expect(await things().findOne()).toEqual(start)
    })

    it('inserts the equalities of the filter when nothing was found', async () => {
      const result = await things().updateOne(
        { a: 1, 'b.c': { $eq: 2 }, d: { $gt: 5 } },
        { $set: { e: 3 }, $setOnInsert: { f: 4 } },
        { upsert: true },
      )
      expect(result).toMatchObject({ matchedCount: 0, upsertedCount: 1 })
      expect(await things().findOne()).toEqual({ _id: result.upsertedId, a: 1, b: { c: 2 }, e: 3, f: 4 })
      await things().updateOne({ a: 1 }, { $setOnInsert: { f: 5 } }, { upsert: true })
      expect(await things().findOne()).toMatchObject({ f: 4 })
    })

    it('replaces, preserving _id', async () => {
      await things().insertOne({ ...start })
      await things().replaceOne({ n: 5 }, { other: 1 })
      expect(await things().find().toArray()).toEqual([{ _id: 1, other: 1 }])
    })

    it('reports matched and modified counts', async () => {
      await things().insertMany([{ a: 1 }, { a: 1, b: 1 }, { a: 2 }])
      expect(await things().updateMany({ a: 1 }, { $set: { b: 1 } })).toMatchObject({
        matchedCount: 2,
        modifiedCount: 1,
      })
      expect(await things().deleteMany({ a: 1 })).toMatchObject({ deletedCount: 2 })
    })

    it('preserves the types of numbers it does not change', async () => {
      await things().insertOne({
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
      await things().updateOne({}, update)
      const doc = await things().findOne({}, { promoteValues: false })
      expect(doc).toMatchObject({ d: new Double(5), e: new Double(2), m: Decimal128.fromString('1.10') })
      expect(String(doc?.l)).toBe('6')
      expect(String(doc?.i)).toBe('6')
    })
  })

  it('finds and modifies one in sort order, returning it before or after', async () => {
    await things().insertMany([
      { _id: 1, n: 1 },
      { _id: 2, n: 2 },
    ])
    const plusTen: Record<string, Record<string, unknown>> = { $inc: { n: 10 } }
    const before = await things().findOneAndUpdate({}, plusTen, {
      sort: { n: -1 },
    })
    const after = await things().findOneAndUpdate({}, plusTen, {
      sort: { n: 1 },
      returnDocument: 'after',
    })
    expect([before, after]).toEqual([
      { _id: 2, n: 2 },
      { _id: 1, n: 11 },
    ])
    expect(await things().findOneAndDelete({ _id: 1 })).toEqual({ _id: 1, n: 11 })
    expect(await things().findOneAndUpdate({ _id: 9 }, { $set: { n: 1 } })).toBeNull()
    const made = await things().findOneAndUpdate(
      { _id: 9 },
      { $set: { n: 1 } },
      { upsert: true, returnDocument: 'after' },
    )
    expect(made).toEqual({ _id: 9, n: 1 })
    expect(await things().findOneAndReplace({ _id: 9 }, { m: 2 }, { returnDocument: 'after' })).toEqual({
      _id: 9,
      m: 2,
    })
  })

  it('reports each failure of a bulk write, and continues when unordered', async () => {
    await things().insertOne({ _id: 2 })
    const documents = [1, 2, 3].map((n) => ({ _id: n }))
    const unordered = things().insertMany(documents, { ordered: false })
    await expect(unordered).rejects.toMatchObject({ code: 11000, insertedCount: 2 })
    const result = await things().bulkWrite([
      { insertOne: { document: { _id: 4 } } },
      { updateOne: { filter: { _id: 9 }, update: { $set: { a: 1 } }, upsert: true } },
      { updateMany: { filter: {}, update: { $set: { b: 1 } } } },
      { deleteOne: { filter: { _id: 1 } } },
    ])
    expect(result).toMatchObject({ insertedCount: 1, upsertedCount: 1, modifiedCount: 5, deletedCount: 1 })
    await expect(things().insertMany([{ _id: 5 }, { _id: 2 }, { _id: 6 }])).rejects.toMatchObject({
      code: 11000,
    })
    expect(await things().countDocuments({ _id: { $in: [5, 6] } })).toBe(1)
  })
})
