import { expect, it } from 'vitest'
import { useStoredData } from '../testing/stored-data.ts'
import { unflagSmallClasses } from './0009-unflag-small-classes.ts'

const data = useStoredData()

it('takes the flag from papers that had it for the size of their class alone', () =>
  data.withDatabase(async (db) => {
    const submissions = db.collection<{ _id: number; grade: object }>('submissions')
    const grade = (...codes: string[]) => ({ needs_review: true, review_reasons: codes.map((code) => ({ code })) })
    await submissions.insertMany([
      { _id: 1, grade: grade('small_class') },
      { _id: 2, grade: grade('page_order', 'small_class') },
      { _id: 3, grade: grade() },
    ])
    await unflagSmallClasses(db)
    expect(await submissions.find().sort({ _id: 1 }).toArray()).toEqual([
      { _id: 1, grade: { needs_review: false, review_reasons: [] } },
      { _id: 2, grade: grade('page_order') },
      { _id: 3, grade: grade() },
    ])
  }))
