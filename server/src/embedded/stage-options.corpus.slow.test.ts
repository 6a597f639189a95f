import { beforeEach, expect, it } from 'vitest'
import { onEveryServer } from './testing/on-every-server.ts'

type Stage = Record<string, unknown>

/** What MongoDB refuses within a stage is refused, before anything is run. */
onEveryServer((things, connection) => {
  beforeEach(async () => {
    await things().insertMany([{ _id: 1, a: 1, list: [1, 2] }])
  })

  const joined = { from: 'things', as: 'j', localField: 'a', foreignField: 'a' }
  const bucket = { groupBy: '$a', boundaries: [0, 5] }
  it.each<[Stage, number]>([
    [{ $lookup: { ...joined, absent: 1 } }, 9],
    [{ $lookup: { from: 'things', as: 'j', localField: 'a' } }, 9],
    [{ $lookup: { from: 'things', as: 'j', pipeline: [{ $unwind: { path: '$list', absent: 1 } }] } }, 28811],
    [{ $unwind: { path: '$list', absent: 1 } }, 28811],
    [{ $unwind: {} }, 28812],
    [{ $unwind: 'list' }, 28818],
    [{ $unwind: 5 }, 15981],
    [{ $unwind: { path: '$list', preserveNullAndEmptyArrays: 1 } }, 28809],
    [{ $unwind: { path: '$list', includeArrayIndex: 1 } }, 28810],
    [{ $unwind: { path: '$list', includeArrayIndex: '$n' } }, 28822],
    [{ $group: 5 }, 15947],
    [{ $group: { n: { $sum: 1 } } }, 15955],
    [{ $group: { _id: null, n: 1 } }, 40234],
    [{ $group: { _id: null, 'n.a': { $sum: 1 } } }, 40235],
    [{ $group: { _id: null, n: { $sum: 1, $avg: 1 } } }, 40238],
    [{ $group: { _id: null, n: { $absent: 1 } } }, 15952],
    [{ $bucket: { ...bucket, absent: 1 } }, 40197],
    [{ $bucket: { groupBy: '$a' } }, 40198],
    [{ $bucketAuto: { groupBy: '$a', buckets: 2, absent: 1 } }, 40245],
    [{ $bucketAuto: { groupBy: '$a' } }, 40246],
    [{ $sample: { size: 1, absent: 1 } }, 28748],
    [{ $sample: {} }, 28749],
    [{ $sample: 1 }, 28745],
    [{ $count: '' }, 40156],
    [{ $count: '$n' }, 40158],
    [{ $count: 'a.b' }, 40160],
    [{ $replaceRoot: { newRoot: '$$ROOT', absent: 1 } }, 40415],
    [{ $unionWith: { coll: 'things', absent: 1 } }, 40415],
    [{ $facet: {} }, 40169],
    [{ $facet: { a: 1 } }, 40170],
    [{ $facet: { a: [{ $facet: { b: [] } }] } }, 40600],
    [{ $facet: { a: [{ $out: 'others' }] } }, 40600],
    [{ $facet: { a: [{ $sample: {} }] } }, 28749],
    [{ $setWindowFields: { output: {}, absent: 1 } }, 40415],
    [{ $merge: { into: 'others', absent: 1 } }, 40415],
    [{ $merge: { into: 'others', whenMatched: 'absent' } }, 2],
    [{ $merge: { into: 'others', whenNotMatched: 'absent' } }, 2],
  ])('refuses %j with code %i', async (stage, code) => {
    // Also where no document reaches the stage.
    for (const before of [[], [{ $match: { absent: true } }]]) {
      const answer = things()
        .aggregate([...before, stage])
        .toArray()
      await expect(answer).rejects.toMatchObject({ code, message: expect.stringMatching(/\w+ \w+ \w+/) })
    }
    const names = (await connection().listCollections()).map(({ name }) => name)
    expect(names).not.toContain('others')
  })

  it('takes what MongoDB takes', async () => {
    const stages: Stage[] = [
      { $lookup: { ...joined, let: {}, pipeline: [] } },
      { $unwind: { path: '$list', includeArrayIndex: 'n', preserveNullAndEmptyArrays: true } },
      { $group: { _id: '$n', n: { $sum: 1 }, last: { $last: '$a' }, all: { $push: '$list' } } },
      { $facet: { sorted: [{ $sort: { _id: 1 } }], n: [{ $count: 'n' }] } },
    ]
    const [facets] = await things().aggregate(stages).toArray()
    expect(facets).toMatchObject({ sorted: [{ n: 1 }, { n: 1 }], n: [{ n: 2 }] })
  })
})
