import type { Rubric } from '@assay/shared/rubrics.ts'
import { expect, it } from 'vitest'
import type { ReviewReason, SuggestedCriterion, SuggestedGrade } from '../grader.ts'
import { combineGrade } from './combine-grade.ts'

const question = (id: string, points: number): Rubric['questions'][number] => ({
  id,
  number: id.slice(1),
  prompt: '',
  kind: 'text',
  criteria: [{ id, text: id, points, expected: 'x', alternatives: [] }],
  regions: [],
})
const rubric: Rubric = { questions: [question('q1', 10), question('q2', 5), question('q3', 5)], problems: [] }

const criterion = (id: string, score: number | null, max_score: number, confidence = 0.9): SuggestedCriterion => ({
  criterion_id: id,
  question_id: id,
  criterion_text: id,
  score,
  max_score,
  level: 'partial',
  feedback: '',
  confidence,
  evidence: [],
})
const grade = (criteria: SuggestedCriterion[], reasons: ReviewReason[] = []): SuggestedGrade => ({
  overall_score: 0,
  criteria,
  confidence: 0,
  summary: 'As it was.',
  needs_review: reasons.length > 0,
  reasons,
})
const poor = (id: string): ReviewReason => ({
  code: 'poor_reading',
  message: `hard to read: ${id}`,
  question_id: id,
  evidence: [],
})
const current = grade([criterion('q1', 2, 10), criterion('q2', 5, 5), criterion('q3', 1, 5)], [poor('q1'), poor('q3')])

it('takes only the named questions from the new grade, and adds up again', () => {
  const fresh = grade([criterion('q1', 8, 10, 0.5), criterion('q2', 0, 5), criterion('q3', 0, 5)], [poor('q2')])
  const combined = combineGrade(rubric, current, fresh, new Set(['q1']))
  expect(combined.criteria.map(({ score }) => score)).toEqual([8, 5, 1])
  expect(combined.overall_score).toBe(70)
  expect(combined.confidence).toBe(0.7)
  expect(combined.summary).not.toBe('As it was.')
  expect(combined.reasons).toEqual([poor('q3')])
  expect(combined.needs_review).toBe(true)
})

it('counts what has a score alone: what is left to a person is no zero, and no uncertainty', () => {
  const fresh = grade([criterion('q1', null, 10, 0)])
  const combined = combineGrade(rubric, current, fresh, new Set(['q1']))
  expect(combined.criteria.map(({ score }) => score)).toEqual([null, 5, 1])
  expect(combined.overall_score).toBe(60)
  expect(combined.confidence).toBe(0.9)
  expect(combined.summary).toBe('Your answer to question 2 is strong. Work most on question 3.')
  const nothing = grade([criterion('q1', null, 10, 0), criterion('q2', null, 5, 0), criterion('q3', null, 5, 0)])
  expect(combineGrade(rubric, nothing, nothing, new Set()).overall_score).toBeNull()
})

it('needs a fresh grade of no more than the named questions, and follows the rubric’s points and order', () => {
  const changed: Rubric = { questions: [question('q3', 10), question('q1', 10)], problems: [] }
  const combined = combineGrade(changed, current, grade([criterion('q3', 9, 10)]), new Set(['q3']))
  expect(combined.criteria.map(({ criterion_id, score }) => [criterion_id, score])).toEqual([
    ['q3', 9],
    ['q1', 2],
  ])
  expect(combined.overall_score).toBe(55)
  expect(combined.reasons).toEqual([poor('q1')])
  expect(() => combineGrade(changed, current, grade([]), new Set(['q3']))).toThrow('q3')
})

it('keeps what was seen of the paper and the doubts of other questions, and drops what was mended', () => {
  const hidden: ReviewReason = { code: 'hidden_text', message: 'hidden', evidence: [] }
  const empty: ReviewReason = { code: 'nothing_written', message: 'nothing' }
  const unsure = (id: string): ReviewReason => ({
    code: 'low_confidence',
    message: id,
    question_id: id,
    question_ids: [id],
  })
  const before = { ...current, reasons: [hidden, empty, unsure('q1'), unsure('q2')] }
  const fresh = grade([criterion('q1', 5, 10, 0.98)], [unsure('q3')])
  expect(combineGrade(rubric, before, fresh, new Set(['q1'])).reasons).toEqual([hidden, unsure('q2')])
  const doubtful = grade([criterion('q1', 5, 10, 0.5)], [])
  expect(combineGrade(rubric, before, doubtful, new Set(['q1'])).reasons).toEqual([
    hidden,
    { ...unsure('q1'), message: expect.stringMatching(/^The grader is unsure of question 1: /) },
    unsure('q2'),
  ])
})

it('keeps an earlier doubt of several questions until each of them is graded again', () => {
  const old: ReviewReason = { code: 'low_confidence', message: 'both', question_ids: ['q1', 'q2'] }
  const before = { ...current, reasons: [old] }
  expect(combineGrade(rubric, before, grade([criterion('q1', 5, 10, 0.99)]), new Set(['q1'])).reasons).toEqual([old])
  const both = grade([criterion('q1', 5, 10, 0.99), criterion('q2', 5, 5, 0.99)])
  expect(combineGrade(rubric, before, both, new Set(['q1', 'q2'])).reasons).toEqual([])
})

it('leaves the summary as it was when no points moved', () => {
  const same = combineGrade(rubric, current, grade([criterion('q1', 2, 10)]), new Set(['q1']))
  expect(same.summary).toBe('As it was.')
  expect(same.overall_score).toBe(40)
})

it('summarises what counts with the points the teacher gave', () => {
  const before = grade([criterion('q1', 2, 10, 0.3), criterion('q2', 5, 5), criterion('q3', 1, 5)])
  const fresh = grade([criterion('q3', 5, 5)])
  const open = combineGrade(rubric, before, fresh, new Set(['q3']))
  expect(open.summary).toContain('Work most on question 1')
  const settled = combineGrade(rubric, before, fresh, new Set(['q3']), { q1: 10 })
  expect(settled.summary).toContain('A strong paper')
  expect(settled.criteria[0]).toMatchObject({ score: 2, confidence: 0.3 })
  expect(settled.overall_score).toBe(open.overall_score)
})

it('keeps no finding of two students that is not found again, unless nothing was graded again', () => {
  const two: ReviewReason = { code: 'two_students', message: 'two' }
  const before = { ...current, reasons: [two] }
  const fresh = grade([criterion('q1', 2, 10)])
  expect(combineGrade(rubric, before, fresh, new Set(['q1'])).reasons).toEqual([])
  expect(combineGrade(rubric, before, { ...fresh, reasons: [two] }, new Set(['q1'])).reasons).toEqual([two])
  expect(combineGrade(rubric, before, grade([]), new Set()).reasons).toEqual([two])
})
