import type { mongo } from 'mongoose'
import { expect, it } from 'vitest'
import { useStoredData } from '../testing/stored-data.ts'
import { storePoints } from './0010-store-points.ts'

const data = useStoredData()

it('opens scores that were stored as percentages, with the points they were made of', async () => {
  await data.withDatabase(async (db) => {
    const insert = (name: string, ...docs: Record<string, unknown>[]) =>
      db.collection(name).insertMany(docs as mongo.OptionalId<mongo.Document>[])
    const criteria = [
      { score: 25.25, max_score: 33 },
      { score: 0, max_score: 4 },
    ]
    const shift = { kind: 'shift', points_percent: 30, from: 82, to: 100 }
    await insert(
      'releases',
      { _id: 1, final_score: 68.2, criteria },
      { _id: 2, final_score: 68.5, criteria },
      { _id: 3, final_score: null, criteria },
      { _id: 4, final_score: 100, adjusted: { raw_score: 82, score: 100, steps: [shift] }, criteria },
    )
    const percent = { percent: 68.2432, comment: '', revision: 1 }
    await insert('lti_scores', { _id: '1/a', wanted: percent, accepted: { ...percent, points: 25.25 }, unsure: null })
    await insert('submissions', { _id: 1, grade: { manual_score_override: null, overall_score: 68.2 } })
    const { signal } = new AbortController()
    // Twice, as after a crash before it was recorded.
    await storePoints(db, signal)
    await storePoints(db, signal)
    const of = 37
    expect(await db.collection('releases').find().sort({ _id: 1 }).toArray()).toEqual([
      { _id: 1, points: { given: 25.25, of }, criteria },
      { _id: 2, points: { given: 25.35, of }, criteria },
      { _id: 3, points: null, criteria },
      {
        _id: 4,
        points: { given: 37, of },
        adjusted: {
          ...{ raw_score: 82, score: 100, raw_points: { given: 30.34, of }, points: { given: 37, of } },
          steps: [{ ...shift, from: 30.34, to: 37, limited: true }],
        },
        criteria,
      },
    ])
    const score = { score: { given: 68.2432, of: 100 }, comment: '', revision: 1 }
    expect(await db.collection('lti_scores').find().toArray()).toEqual([
      { _id: '1/a', wanted: score, accepted: { ...score, points: 25.25 }, unsure: null },
    ])
    expect(await db.collection('submissions').findOne()).toMatchObject({ grade: { final_score: 68.2 } })
  })
})
