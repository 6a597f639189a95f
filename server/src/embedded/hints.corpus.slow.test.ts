import { beforeEach, describe, expect, it } from 'vitest'
import { onEveryServer } from './testing/on-every-server.ts'

onEveryServer((things) => {
  beforeEach(async () => {
    await things().insertMany([
      { _id: 1, a: 3, s: 1 },
      { _id: 2, a: 1 },
      { _id: 3, a: 2, s: 2 },
    ])
    await things().createIndex({ a: 1 })
    await things().createIndex({ s: 1 }, { sparse: true })
    await things().createIndex({ a: -1, _id: 1 }, { partialFilterExpression: { a: { $gte: 2 } }, name: 'large' })
  })

  describe('a hint of an index that exists', () => {
    const ids = async (hint: string | Record<string, 1 | -1>, filter = {}) =>
      (
        await things()
          .find(filter, { hint, projection: { _id: 1 } })
          .toArray()
      ).map((doc) => doc._id)

    it('by name or by key decides the order of a find', async () => {
      expect(await ids('a_1')).toEqual([2, 3, 1])
      expect(await ids({ a: 1 })).toEqual([2, 3, 1])
      expect(await ids({ _id: 1 })).toEqual([1, 2, 3])
      expect(await ids({ $natural: -1 })).toEqual([3, 2, 1])
      expect(await ids('a_1', { a: { $gt: 1 } })).toEqual([3, 1])
    })

    it('finds only what a sparse or partial index has', async () => {
      expect(await ids({ s: 1 })).toEqual([1, 3])
      expect(await ids('large')).toEqual([1, 3])
      expect(await ids('large', { _id: { $lt: 3 } })).toEqual([1])
      expect(await things().countDocuments({}, { hint: 's_1' })).toBe(2)
      expect(
        await things()
          .aggregate([{ $count: 'n' }], { hint: 'large' })
          .toArray(),
      ).toEqual([{ n: 2 }])
    })

    it('finds through a sort of another order', async () => {
      const found = await things()
        .find({}, { hint: { s: 1 }, sort: { a: 1 } })
        .toArray()
      expect(found.map((doc) => doc._id)).toEqual([3, 1])
    })

    it('decides which document is changed', async () => {
      await things().updateOne({}, { $set: { by: 'update' } }, { hint: 'a_1' })
      await things().findOneAndUpdate({}, { $set: { by: 'modify' } }, { hint: { a: -1, _id: 1 } })
      expect(
        await things()
          .find({ by: { $exists: true } })
          .sort({ _id: 1 })
          .toArray(),
      ).toMatchObject([
        { _id: 1, by: 'modify' },
        { _id: 2, by: 'update' },
      ])
      expect(await things().deleteMany({}, { hint: 's_1' })).toMatchObject({ deletedCount: 2 })
    })
  })

  describe('a hint of an index that does not exist is refused by', () => {
    const hint = { absent: 1 }
    const refused = {
      code: 2,
      message: expect.stringContaining('hint provided does not correspond to an existing index'),
    }

    it.each<[string, () => Promise<unknown>]>([
      ['find', () => things().find({}, { hint }).toArray()],
      ['find by name', () => things().find({}, { hint: 'absent_1' }).toArray()],
      ['count', () => things().countDocuments({}, { hint })],
      [
        'aggregate',
        () =>
          things()
            .aggregate([{ $sort: { a: 1 } }], { hint })
            .toArray(),
      ],
      ['update', () => things().updateMany({}, { $set: { b: 1 } }, { hint })],
      ['replace', () => things().replaceOne({}, { b: 1 }, { hint })],
      ['delete', () => things().deleteMany({}, { hint })],
      ['findOneAndUpdate', () => things().findOneAndUpdate({}, { $set: { b: 1 } }, { hint })],
      ['findOneAndDelete', () => things().findOneAndDelete({}, { hint })],
    ])('%s, which changes nothing', async (_name, run) => {
      await expect(run()).rejects.toMatchObject(refused)
      expect(await things().countDocuments({ b: { $exists: false } })).toBe(3)
    })

    it('nothing when the collection does not exist', async () => {
      await things().drop()
      expect(await things().find({}, { hint }).toArray()).toEqual([])
    })
  })
})
