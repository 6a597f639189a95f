import type { Criterion } from '@assay/shared/rubrics.ts'
import { expect, it } from 'vitest'
import { pointSteps } from '../../scoring/score-curve.ts'
import { criterionResponse, gradingResponse } from '../testing/scripted-llm.ts'
import { checkGradingResponse } from './grading-schema.ts'

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
const right = [criterionResponse('q1', { points: 3.5 }), criterionResponse('q2', { points: 1.25 })]

it('accepts a response that is complete and within its points', () => {
  expect(checkGradingResponse(gradingResponse(right), two)).toBeNull()
  expect(checkGradingResponse(gradingResponse(right.toReversed()), two)).toBeNull()
})

it.each([
  ['a missing criterion', [right[0]], /“q2” is missing/],
  ['a strange one', [...right, criterionResponse('q9')], /There is no criterion “q9”/],
  ['one that is there twice', [...right, right[0]], /“q1” is there more than once/],
  ['more than all points', [criterionResponse('q1', { points: 4.5 }), right[1]], /“q1”: points must be one of 0, 0\.5/],
  ['less than none', [criterionResponse('q1', { points: -0.5 }), right[1]], /points must be/],
  ['points between the steps', [criterionResponse('q1', { points: 3.3 }), right[1]], /points must be/],
  [
    'points of no level',
    [right[0], criterionResponse('q2', { points: 2 })],
    /“q2”: points must be one of 0, 1\.25, 4, not 2/,
  ],
  ['confidence above one', [criterionResponse('q1', { confidence: 90 }), right[1]], /confidence must be from 0 to 1/],
  ['no feedback', [criterionResponse('q1', { feedback: ' ' }), right[1]], /feedback is empty/],
])('refuses %s, and says what is wrong', (_, criteria, says) => {
  const given = criteria.filter((one) => one !== undefined)
  expect(checkGradingResponse(gradingResponse(given), two)).toMatch(says)
})

it('refuses a response without a summary', () => {
  expect(checkGradingResponse(gradingResponse(right, { summary: '' }), two)).toMatch(/summary/)
})

it('checks the points of each criterion', () => {
  expect(pointSteps({ points: 2 })).toEqual([0, 0.5, 1, 1.5, 2])
  expect(pointSteps({ points: 1 })).toEqual([0, 0.25, 0.5, 0.75, 1])
  expect(pointSteps({ points: 3.3 })).toEqual([0, 0.5, 1, 1.5, 2, 2.5, 3, 3.3])
  expect(pointSteps({ points: 4, levels })).toEqual([0, 1.25, 4])
  const bands = [6, 4, 2].map((points) => ({ points, text: `Level up to ${points}` }))
  expect(pointSteps({ points: 6, levels: bands })).toEqual([0, 1, 2, 3, 4, 5, 6])
  expect(pointSteps({ points: 6, levels: bands.with(2, { points: 1, text: 'A start' }) })).toEqual([0, 1, 4, 6])
})
