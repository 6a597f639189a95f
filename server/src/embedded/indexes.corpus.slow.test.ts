import { describe, expect, it } from 'vitest'
import { onEveryServer } from './testing/on-every-server.ts'

onEveryServer((things) => {
  describe('unique indexes', () => {
    it('refuse a duplicate and name it', async () => {
      await things().createIndex({ email: 1, course: -1 }, { unique: true })
      await things().insertOne({ email: 'a', course: 1 })
      await things().insertOne({ email: 'a', course: 2 })
      const refused = things().insertOne({ email: 'a', course: 1 })
      await expect(refused).rejects.toMatchObject({
        code: 11000,
        keyPattern: { email: 1, course: -1 },
        keyValue: { email: 'a', course: 1 },
      })
      await expect(things().updateOne({ course: 2 }, { $set: { course: 1 } })).rejects.toMatchObject({
        code: 11000,
      })
      await expect(things().insertOne({ _id: 1 })).resolves.toBeDefined()
      await expect(things().insertOne({ _id: 1, email: 'z' })).rejects.toMatchObject({
        keyPattern: { _id: 1 },
      })
    })

    it('count missing as null, unless sparse or partial', async () => {
      await things().createIndex({ a: 1 }, { unique: true })
      await things().createIndex({ b: 1 }, { unique: true, sparse: true })
      await things().createIndex({ c: 1 }, { unique: true, partialFilterExpression: { c: { $type: 'string' } } })
      await things().insertOne({ a: 1, c: null })
      await things().insertOne({ a: 2, c: null })
      await things().insertOne({})
      await expect(things().insertOne({ b: 1 })).rejects.toMatchObject({ code: 11000, keyValue: { a: null } })
      await things().insertOne({ a: 3, b: 1, c: 'x' })
      await expect(things().insertOne({ a: 4, b: 1 })).rejects.toMatchObject({ code: 11000 })
      await expect(things().insertOne({ a: 5, c: 'x' })).rejects.toMatchObject({ code: 11000 })
    })

    it('check each element of an array, but not for duplicates within one document', async () => {
      await things().createIndex({ tags: 1 }, { unique: true })
      await things().insertOne({ tags: ['x', 'x', 'y'] })
      await expect(things().insertOne({ tags: ['z', 'y'] })).rejects.toMatchObject({ code: 11000 })
    })

    it('cannot be created over duplicates', async () => {
      await things().insertMany([{ a: 1 }, { a: 1 }])
      await expect(things().createIndex({ a: 1 }, { unique: true })).rejects.toMatchObject({ code: 11000 })
      expect((await things().indexes()).map((index) => index.name)).toEqual(['_id_'])
    })
  })

  it('refuses an index over two arrays', async () => {
    await things().createIndex({ a: 1, b: 1 })
    await expect(things().insertOne({ a: [1], b: [1] })).rejects.toMatchObject({ code: 171 })
  })

  it('refuses an index that conflicts with an existing one', async () => {
    await things().createIndex({ a: 1 })
    await things().createIndex({ a: 1 })
    await expect(things().createIndex({ b: 1 }, { name: 'a_1' })).rejects.toMatchObject({ code: 86 })
    await expect(things().createIndex({ a: 1 }, { unique: true })).rejects.toMatchObject({ code: 86 })
  })
})
