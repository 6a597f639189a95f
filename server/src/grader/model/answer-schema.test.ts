import type { Criterion } from '@assay/shared/rubrics.ts'
import { expect, it } from 'vitest'
import { checkGrading } from './answer-schema.ts'
import { pointSteps } from './point-steps.ts'
import { grading, opinion } from './testing/scripted-ask.ts'

const criterion = (id: string, rest: Partial<Criterion> = {}): Criterion => ({
  id,
  text: '',
  points: 4,
  expected: '',
  alternatives: [],
  ...rest,
})
const levels = [
  { points: 1.25, text: 'a hint' },
  { points: 4, text: 'all' },
]
const two = [criterion('q1'), criterion('q2', { levels })]
const right = [opinion('q1', { points: 3.5 }), opinion('q2', { points: 1.25 })]

it('takes an answer that is complete and within its points', () => {
  expect(checkGrading(grading(right), two)).toBeNull()
  expect(checkGrading(grading(right.toReversed()), two)).toBeNull()
})

it.each([
  ['a missing criterion', [right[0]], /“q2” is missing/],
  ['a strange one', [...right, opinion('q9')], /There is no criterion “q9”/],
  ['one that is there twice', [...right, right[0]], /“q1” is there more than once/],
  ['more than all points', [opinion('q1', { points: 4.5 }), right[1]], /“q1”: points must be one of 0, 0\.5/],
  ['less than none', [opinion('q1', { points: -0.5 }), right[1]], /points must be/],
  ['points between the steps', [opinion('q1', { points: 3.3 }), right[1]], /points must be/],
  [
    'points of no level',
    [right[0], opinion('q2', { points: 2 })],
    /“q2”: points must be one of 0, 1\.25, 4, not 2/,
  ],
  ['confidence above one', [opinion('q1', { confidence: 90 }), right[1]], /confidence must be from 0 to 1/],
  ['no feedback', [opinion('q1', { feedback: ' ' }), right[1]], /feedback is empty/],
])('refuses %s, and says what is wrong', (_, criteria, says) => {
  const given = criteria.filter((one) => one !== undefined)
  expect(checkGrading(grading(given), two)).toMatch(says)
})

it('refuses an answer without a summary', () => {
  expect(checkGrading(grading(right, { summary: '' }), two)).toMatch(/summary/)
})

it('knows the points there are', () => {
  expect(pointSteps({ points: 2 })).toEqual([0, 0.5, 1, 1.5, 2])
  expect(pointSteps({ points: 1 })).toEqual([0, 0.25, 0.5, 0.75, 1])
  expect(pointSteps({ points: 3.3 })).toEqual([0, 0.5, 1, 1.5, 2, 2.5, 3, 3.3])
  expect(pointSteps({ points: 4, levels })).toEqual([0, 1.25, 4])
})
