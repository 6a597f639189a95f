import { beforeEach, expect, it } from 'vitest'
import { onEveryServer } from './testing/on-every-server.ts'

/** What MongoDB refuses of a command's options is refused, and nothing is changed. */
onEveryServer((things, connection) => {
  const command = (body: Record<string, unknown>) => connection().getClient().db(connection().name).command(body)

  beforeEach(async () => {
    await things().insertMany([
      { _id: 1, a: 1, n: [] },
      { _id: 2, a: 2, n: [1, 2] },
    ])
  })

  const q = { _id: 1 }
  const u = { $set: { changed: true } }
  it.each<[Record<string, unknown>, number]>([
    [{ find: 'things', absent: 1 }, 40415],
    [{ find: 'things', filter: {}, skip: -1 }, 51024],
    [{ find: 'things', batchSize: -1 }, 51024],
    [{ find: 'things', sort: { $natural: 1, a: 1 } }, 2],
    [{ find: 'things', sort: 'a' }, 14],
    [{ find: 'things', hint: 5 }, 9],
    [{ find: 'things', readConcern: { level: 'absent' } }, 2],
    [{ find: 'things', let: { x: '$a' } }, 4890500],
    [{ count: 'things', absent: 1 }, 40415],
    [{ distinct: 'things', key: 'a', absent: 1 }, 40415],
    [{ distinct: 'things', key: 1 }, 14],
    [{ aggregate: 'things', pipeline: [], cursor: {}, absent: 1 }, 40415],
    [{ aggregate: 'things', pipeline: [] }, 9],
    [{ insert: 'things', documents: [{}], absent: 1 }, 40415],
    [{ update: 'things', updates: [{ q, u, absent: 1 }] }, 40415],
    [
      {
        update: 'things',
        updates: [
          { q, u },
          { q, u, absent: 1 },
        ],
      },
      40415,
    ],
    [{ update: 'things', updates: [{ q, u }], absent: 1 }, 40415],
    [{ delete: 'things', deletes: [{ q, limit: 1, absent: 1 }] }, 40415],
    [{ findAndModify: 'things', query: q, update: u, absent: 1 }, 40415],
    [{ findAndModify: 'things', query: q }, 9],
    [{ findAndModify: 'things', query: q, remove: true, new: true }, 9],
    [{ findAndModify: 'things', query: q, remove: true, upsert: true }, 9],
    [{ findAndModify: 'things', query: q, remove: true, update: u }, 9],
    [{ create: 'others', absent: 1 }, 40415],
    [{ drop: 'things', absent: 1 }, 40415],
    [{ listIndexes: 'things', absent: 1 }, 40415],
    [{ createIndexes: 'things', indexes: [{ key: { a: 1 }, name: 'a' }], absent: 1 }, 40415],
    [{ getParameter: 1, absentParameter: 1 }, 72],
  ])('refuses %j', async (body, code) => {
    await expect(command(body)).rejects.toMatchObject({ code })
    expect(await things().countDocuments({ changed: { $exists: false } })).toBe(2)
  })

  it.each<[Record<string, unknown>, number]>([
    [{ update: 'things', updates: [{ q: {}, u, multi: true, sort: { a: 1 } }] }, 9],
    [{ update: 'things', updates: [{ q, u, c: { x: 1 } }] }, 51198],
    [{ delete: 'things', deletes: [{ q: {}, limit: 2 }] }, 9],
  ])('refuses the statement of %j', async (body, code) => {
    // As the command's error or as the statement's.
    const answer = await command(body).catch((error: unknown) => ({ writeErrors: [error] }))
    expect(answer).toMatchObject({ writeErrors: [{ code }] })
    expect(await things().countDocuments({ changed: { $exists: false } })).toBe(2)
  })

  it('evaluates the variables of a command', async () => {
    const given = { x: { $add: [1, 1] }, y: 1 }
    const found = await things()
      .find({ $expr: { $eq: ['$a', '$$x'] } }, { let: given })
      .toArray()
    expect(found.map((doc) => doc._id)).toEqual([2])
    await things().updateOne({ $expr: { $eq: ['$a', '$$x'] } }, [{ $set: { b: '$$y' } }], { let: given })
    expect(await things().findOne({ b: 1 })).toMatchObject({ _id: 2 })
    const grouped = things().aggregate([{ $match: { $expr: { $eq: ['$a', '$$x'] } } }], { let: given })
    expect(await grouped.toArray()).toMatchObject([{ _id: 2 }])
  })

  it('counts with a negative limit as with a positive one', async () => {
    expect(await command({ count: 'things', limit: -1 })).toMatchObject({ n: 1 })
  })

  it('joins an empty array with nothing', async () => {
    const joined = things().aggregate([
      { $lookup: { from: 'things', localField: 'n', foreignField: 'absent', as: 'found' } },
      { $project: { found: { $size: '$found' } } },
      { $sort: { _id: 1 } },
    ])
    expect(await joined.toArray()).toEqual([
      { _id: 1, found: 0 },
      { _id: 2, found: 0 },
    ])
  })
})
