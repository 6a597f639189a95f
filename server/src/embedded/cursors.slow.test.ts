import { expect, it } from 'vitest'
import { onEveryServer, type Row } from './testing/on-every-server.ts'

type Sort = Record<string, 1 | -1>

onEveryServer((things) => {
  const many = (count: number): Row[] => Array.from({ length: count }, (_, n) => ({ _id: n, a: 1, n }))

  /** `change` happens after the first batch of two. */
  async function restAfter(sort: Sort | undefined, change: () => Promise<unknown>): Promise<Row[]> {
    const cursor = things().find({ a: 1 }, { batchSize: 2, ...(sort ? { sort } : {}) })
    const before = [await cursor.next(), await cursor.next()]
    expect(before).toMatchObject([{ a: 1 }, { a: 1 }])
    await change()
    const rest: Row[] = []
    for await (const doc of cursor) rest.push(doc)
    return rest
  }

  it.each<Sort | undefined>([undefined, { n: 1 }, { _id: 1 }])(
    'returns no document that has stopped matching (sort %j)',
    async (sort) => {
      await things().insertMany(many(10))
      const rest = await restAfter(sort, () => things().updateMany({ n: { $gte: 7 } }, { $set: { a: 2 } }))
      expect(rest.filter((doc) => doc.a !== 1)).toEqual([])
      expect(rest.map((doc) => doc.n).slice(0, 5)).toEqual([2, 3, 4, 5, 6])
    },
  )

  it.each<Sort | undefined>([undefined, { n: 1 }])(
    'returns no other document in the place of a deleted one (sort %j)',
    async (sort) => {
      await things().insertMany(many(10))
      const rest = await restAfter(sort, async () => {
        await things().deleteOne({ _id: 9 })
        await things().insertOne({ _id: 'another' as never, a: 2, n: -1 })
      })
      expect(rest.filter((doc) => doc.a !== 1)).toEqual([])
    },
  )

  it('returns all of a result that is too large for one batch, once and in order', async () => {
    await things().createIndex({ a: 1, n: -1 })
    await things().insertMany(many(2000).map((doc) => ({ ...doc, text: 'x'.repeat(400) })))
    const rows = await things()
      .find({ a: 1 }, { sort: { a: -1, n: 1 }, skip: 3, limit: 1900 })
      .toArray()
    expect(rows.map(({ n }) => n)).toEqual(
      many(1903)
        .slice(3)
        .map(({ n }) => n),
    )
    expect(await things().find({ a: 1 }).toArray()).toHaveLength(2000)
  })
})
