import { isWholeScore } from '@assay/shared/rules/criterion-points.ts'
import { expect, it } from 'vitest'
import { gradedScore } from './adjusted-score.ts'

const grade = { manual_score_override: null, overall_score: 68.2, points: { given: 25.25, of: 37 } }

it('a graded score is as exact as its points, but where a person gave the percentage itself', () => {
  expect(gradedScore(grade)).toBe(68.2432)
  expect(gradedScore({ ...grade, manual_score_override: 68.2, override_from_points: true })).toBe(68.2432)
  expect(gradedScore({ ...grade, manual_score_override: 68.5, override_from_points: false })).toBe(68.5)
  expect(gradedScore({ manual_score_override: null, overall_score: 68.2 })).toBe(68.2)
  expect(gradedScore({ ...grade, unscored_points: 2 })).toBe(null)
})

it('a percentage that its points do not make is one of the whole paper', () => {
  const criteria = [{ score: 25.25, max_score: 37 }]
  expect([68.2432, 68.2].map((score) => isWholeScore(score, criteria))).toEqual([false, false])
  expect(isWholeScore(68.5, criteria)).toBe(true)
})
