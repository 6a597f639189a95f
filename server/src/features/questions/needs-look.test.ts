import type { Question } from '@assay/shared/rubrics.ts'
import { expect, it } from 'vitest'
import type { ReviewReason } from '../../grader/grader.ts'
import type { QuestionAnswerDoc } from '../../records/grading/question-answer.model.ts'
import type { GradeOfSubmission } from '../../records/submissions/submission.model.ts'
import { projectDecision } from './answer-projection.ts'
import { needsLook } from './question.present.ts'

const question = { id: 'q1', criteria: [{ id: 'q1' }] } as Question
const total: ReviewReason = { code: 'low_confidence', message: 'Check both.', question_ids: ['q1', 'q2'] }
const unclear: ReviewReason = { code: 'low_confidence', message: 'It is not clear.', question_id: 'q1' }

function flag(reasons: ReviewReason[], confidence: number): boolean {
  const grade = { revision: 1, needs_review: true, review_reasons: reasons } as GradeOfSubmission
  const projected = projectDecision(grade, question, new Map())
  return needsLook({ ...projected, criteria: [{ id: 'q1', score: 1, max: 2, confidence }] } as QuestionAnswerDoc)
}

it('asks for a look at a doubtful answer where the total is in doubt, and at none that is certain', () => {
  expect(flag([total], 0.89)).toBe(true)
  expect(flag([total], 0.9)).toBe(false)
  expect(flag([{ ...total, question_ids: ['q2'] }], 0.5)).toBe(false)
})

it('asks for a look at what is doubtful about the answer itself, however certain its points', () => {
  expect(flag([unclear], 0.98)).toBe(true)
  expect(flag([total, unclear], 0.98)).toBe(true)
})
