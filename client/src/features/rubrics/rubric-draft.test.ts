import type { Question, Rubric } from '@assay/shared/rubrics.ts'
import { EditedRubric } from '@assay/shared/rules/edited-rubric.ts'
import { generalProblem } from '@assay/shared/rules/rubric-problems.ts'
import { expect, it } from 'vitest'
import { buildRubric } from '../../testing/build-rubric.ts'
import {
  addQuestion,
  areNumbersAscending,
  changedParts,
  draftErrors,
  isSameRubric,
  matchesSearch,
  moveItem,
  questionIndexOfError,
  questionsLabel,
} from './rubric-draft.ts'
import { nextNumber, splitIntoParts, spreadPoints, suggestedParts } from './rubric-parts.ts'

const rubric = buildRubric()
const [first] = rubric.questions
if (!first) throw new Error('a question')

it('a rubric being written has its errors listed by field', () => {
  expect(draftErrors(rubric, 1)).toEqual({})
  const criteria = first.criteria.map((one) => ({ ...one, points: Number.NaN }))
  const broken: Rubric = { ...rubric, questions: [{ ...first, number: ' ', criteria }] }
  const errors = draftErrors(broken, null)
  expect(errors).toEqual({
    'questions.0.number': 'The number must not be empty',
    'questions.0.criteria.0.points': 'Enter points as a number',
  })
  expect(Object.keys(errors).map(questionIndexOfError)).toEqual([0, 0])
  expect(draftErrors({ questions: [], problems: [] }, null)).toEqual({
    questions: 'A rubric must have at least one question',
  })
})

it('a rubric being written can be saved with a problem that only a later release of the server knows', () => {
  const problems = [{ ...generalProblem('All got 0.', []), code: 'told_later' }]
  const told: Rubric = JSON.parse(JSON.stringify({ ...rubric, problems }))
  expect(draftErrors(told, 1)).toEqual({})
})

it('a rubric being written gets questions with names nobody has, numbered on', () => {
  const longer = addQuestion(addQuestion(rubric))
  const ids = longer.questions.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(longer.questions.map(({ number }) => number)).toEqual(['1', '2', '3', '4'])
})

it('a rubric being written knows when it says the same again', () => {
  expect(isSameRubric(rubric, structuredClone(rubric))).toBe(true)
  expect(isSameRubric(rubric, { ...rubric, questions: moveItem(rubric.questions, 0, 1) })).toBe(false)
  expect(isSameRubric(rubric, { ...rubric, problems: [{ ...generalProblem('x', []), dismissed: true }] })).toBe(false)
  const noted = { ...rubric, questions: rubric.questions.with(0, { ...first, notes: 'n' }) }
  expect(isSameRubric(rubric, noted)).toBe(false)
})

it('a rubric being written is searched by number and by words', () => {
  const found = (search: string) => rubric.questions.filter((one) => matchesSearch(one, search)).map((one) => one.id)
  expect(found('2')).toEqual(['q2'])
  expect(found('LATTICE')).toEqual(['q1'])
  expect(found(' ')).toEqual(['q1', 'q2'])
})

it('a rubric being written knows whether numbers rise as on a paper', () => {
  const ordered = (...numbers: string[]) => areNumbersAscending(numbers.map((number) => ({ number })))
  expect(ordered('1', '2 a', '2 b', '10')).toBe(true)
  expect(ordered('1', '3', '2')).toBe(false)
  expect(ordered()).toBe(true)
})

it('a rubric being written says in words what differs, and moves nothing over its ends', () => {
  const criteria = first.criteria.map((one) => ({ ...one, points: 1, alternatives: ['x'] }))
  expect(changedParts(first, { ...first, criteria, notes: 'n' })).toEqual(['points', 'accepted answers', 'notes'])
  expect(moveItem([1, 2, 3], 0, -1)).toEqual([1, 2, 3])
  expect(moveItem([1, 2, 3], 2, 3)).toEqual([1, 2, 3])
  expect(moveItem([1, 2, 3], 0, 2)).toEqual([2, 3, 1])
  expect(questionsLabel(['1', '2', '4 b'])).toBe('questions 1, 2 and 4 b')
})

const region = (page: number) => ({ page, box: { x: 1, y: 2, width: 3, height: 4 } })
const criterion = { id: 'q1', text: 'All', points: 10, expected: '', alternatives: [] }
const withFirst = (part: Partial<Question>): Rubric => {
  const { questions, ...rubric } = buildRubric()
  return { ...rubric, questions: questions.map((one, i) => (i === 0 ? { ...one, ...part } : one)) }
}
const parts = [
  { number: '1 a', points: 4, line: null },
  { number: '1 b', points: 6, line: null },
]
const summary = ({ questions }: Rubric) =>
  questions.map(({ number, prompt, criteria: [first] }) => [number, prompt, first?.points, first?.expected])

it('divides text and key where they print the labels, in one line or several', () => {
  const rubric = withFirst({
    prompt: 'Look at the map. a) What floats? b) Why?',
    criteria: [{ ...criterion, expected: '(a) Ice.\n(b) It is less dense.' }],
  })
  const split = splitIntoParts(rubric, 'q1', parts)
  expect(summary(split)).toEqual([
    ['1 a', 'Look at the map.\nWhat floats?', 4, 'Ice.'],
    ['1 b', 'Why?', 6, 'It is less dense.'],
    ['2', 'How much is 12 times 12?', 5, '144'],
  ])
  expect(split.questions.map(({ id }) => id)).toMatchObject(['q1', expect.any(String), 'q2'])
  expect(split.questions[0]?.printed_points).toBeUndefined()
  expect(EditedRubric.safeParse(split).success).toBe(true)
})

it('leaves all with the first part where no labels are printed, to be filled in by the teacher', () => {
  const split = splitIntoParts(withFirst({ regions: [region(1)] }), 'q1', parts)
  expect(summary(split).slice(0, 2)).toEqual([
    ['1 a', 'Why does ice float on water?', 4, 'Its molecules form a lattice.'],
    ['1 b', '', 6, ''],
  ])
  expect(split.questions.map(({ regions }) => regions.length)).toEqual([1, 0, 0])
  expect(EditedRubric.safeParse(split).success).toBe(true)
})

it('gives each part its criterion and its area where there are as many', () => {
  const criteria = [
    { ...criterion, points: 5, expected: 'ice' },
    { ...criterion, id: 'q1.2', points: 5, expected: 'density' },
  ]
  const split = splitIntoParts(withFirst({ criteria, regions: [region(1), region(2)] }), 'q1', parts)
  expect(split.questions.map(({ criteria: [first], regions }) => [first?.id, first?.points, regions[0]?.page])).toEqual(
    [
      ['q1', 4, 1],
      ['q1.2', 6, 2],
      ['q2', 5, undefined],
    ],
  )
})

it('suggests two parts with half of the points each, and the next number', () => {
  const [question] = withFirst({ criteria: [{ ...criterion, points: 5 }] }).questions
  expect(question && suggestedParts(question)).toEqual([
    { number: '1 a', points: 2.5, line: null },
    { number: '1 b', points: 2.5, line: null },
  ])
  expect(['2 b', '2.9', '3', 'iz'].map(nextNumber)).toEqual(['2 c', '2.10', '4', ''])
})

it.each([
  [[2, 0, 0], 10, [2, 4, 4]],
  [[3, 3, 3], 10, [3.5, 3, 3.5]],
  [[5, 0], 5, [2.5, 2.5]],
  [[0, 0, 0], 1, [0.33, 0.34, 0.33]],
])('spreads %j over %d points', (points, total, spread) => {
  expect(spreadPoints(points, total)).toEqual(spread)
})
