import type { Rubric } from '@assay/shared/rubrics.ts'
import { generalProblem } from '@assay/shared/rules/rubric-problems.ts'
import { describe, expect, it } from 'vitest'
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

const rubric = buildRubric()
const [first] = rubric.questions
if (!first) throw new Error('a question')

describe('a rubric being written', () => {
  it('has its errors listed by field', () => {
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

  it('can be saved with a problem that only a later release of the server knows', () => {
    const problems = [{ ...generalProblem('All got 0.', []), code: 'told_later' }]
    const told: Rubric = JSON.parse(JSON.stringify({ ...rubric, problems }))
    expect(draftErrors(told, 1)).toEqual({})
  })

  it('gets questions with names nobody has, numbered on', () => {
    const longer = addQuestion(addQuestion(rubric))
    const ids = longer.questions.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(longer.questions.map(({ number }) => number)).toEqual(['1', '2', '3', '4'])
  })

  it('knows when it says the same again', () => {
    expect(isSameRubric(rubric, structuredClone(rubric))).toBe(true)
    expect(isSameRubric(rubric, { ...rubric, questions: moveItem(rubric.questions, 0, 1) })).toBe(false)
    expect(isSameRubric(rubric, { ...rubric, problems: [{ ...generalProblem('x', []), dismissed: true }] })).toBe(false)
    const noted = { ...rubric, questions: rubric.questions.with(0, { ...first, notes: 'n' }) }
    expect(isSameRubric(rubric, noted)).toBe(false)
  })

  it('is searched by number and by words', () => {
    const found = (search: string) => rubric.questions.filter((one) => matchesSearch(one, search)).map((one) => one.id)
    expect(found('2')).toEqual(['q2'])
    expect(found('LATTICE')).toEqual(['q1'])
    expect(found(' ')).toEqual(['q1', 'q2'])
  })

  it('knows whether numbers rise as on a paper', () => {
    const ordered = (...numbers: string[]) => areNumbersAscending(numbers.map((number) => ({ number })))
    expect(ordered('1', '2 a', '2 b', '10')).toBe(true)
    expect(ordered('1', '3', '2')).toBe(false)
    expect(ordered()).toBe(true)
  })

  it('says in words what differs, and moves nothing over its ends', () => {
    const criteria = first.criteria.map((one) => ({ ...one, points: 1, alternatives: ['x'] }))
    expect(changedParts(first, { ...first, criteria, notes: 'n' })).toEqual(['points', 'accepted answers', 'notes'])
    expect(moveItem([1, 2, 3], 0, -1)).toEqual([1, 2, 3])
    expect(moveItem([1, 2, 3], 2, 3)).toEqual([1, 2, 3])
    expect(moveItem([1, 2, 3], 0, 2)).toEqual([2, 3, 1])
    expect(questionsLabel(['1', '2', '4 b'])).toBe('questions 1, 2 and 4 b')
  })
})
