import { expect, it } from 'vitest'
import { onEveryServer } from './testing/on-every-server.ts'
import { SLOW_FILTER, seedForSlowCommands } from './testing/slow-commands.ts'

onEveryServer((things) => {
  const maxTimeMS = 150
  const timedOut = expect.objectContaining({ code: 50, codeName: 'MaxTimeMSExpired' })

  it('ends reads when their maxTimeMS is over', async () => {
    await seedForSlowCommands(things())
    await expect(things().find(SLOW_FILTER, { maxTimeMS }).toArray()).rejects.toEqual(timedOut)
    await expect(things().findOne(SLOW_FILTER, { sort: { text: 1, n: 1 }, maxTimeMS })).rejects.toEqual(timedOut)
    await expect(
      things()
        .aggregate([{ $match: SLOW_FILTER }], { maxTimeMS })
        .toArray(),
    ).rejects.toEqual(timedOut)
    await expect(things().countDocuments(SLOW_FILTER, { maxTimeMS })).rejects.toEqual(timedOut)
    await expect(things().distinct('n', SLOW_FILTER, { maxTimeMS })).rejects.toEqual(timedOut)
  })

  it('ends writes when their maxTimeMS is over', async () => {
    await seedForSlowCommands(things())
    const late = { ...SLOW_FILTER, n: { $gte: 0 } }
    await expect(things().updateMany(late, { $set: { changed: true } }, { maxTimeMS })).rejects.toEqual(timedOut)
    await expect(things().deleteMany(late, { maxTimeMS })).rejects.toEqual(timedOut)
    const sort = { text: 1, n: 1 } as const
    await expect(things().findOneAndUpdate(late, { $set: { n: -1 } }, { sort, maxTimeMS })).rejects.toEqual(timedOut)
    expect(await things().countDocuments({ n: -1 })).toBe(0)
  })

  it('lets commands end that take less', async () => {
    await seedForSlowCommands(things())
    expect(
      await things()
        .find({ n: { $lt: 200 } }, { maxTimeMS: 60_000, batchSize: 50 })
        .toArray(),
    ).toHaveLength(200)
    expect(await things().updateMany({}, { $set: { mine: true } }, { maxTimeMS: 60_000 })).toMatchObject({
      modifiedCount: 300,
    })
  })

  it('refuses a time that is none', async () => {
    await expect(things().findOne({}, { maxTimeMS: -1 })).rejects.toMatchObject({ code: 51024 })
  })
})
