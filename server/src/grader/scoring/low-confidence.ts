import type { Rubric } from '@assay/shared/rubrics.ts'
import type { ReviewReason, SuggestedCriterion } from '../grader.ts'

/** An answer less sure than this is named: between right and wrong a grader errs by two fifths of the points. */
export const LOW_CONFIDENCE = 0.62
/** Under this the reading is only a hint (`docs/grading.md`). */
export const LOW_READING_CONFIDENCE = 0.75
/**
 * A paper whose total is expected to be off by more than this goes to a person. Errors of single answers partly cancel
 * out, so they are added as independent ones: the root of the sum of their squares.
 */
const MAX_TOTAL_ERROR = 0.12

/** What is left to a person has no score, and is no uncertainty about the rest. */
type Certainty = Pick<SuggestedCriterion, 'score' | 'confidence' | 'max_score'>

/** Of the criteria with a score, by their points; 0 where none has one. */
export function meanConfidence(criteria: readonly Certainty[]): number {
  const scored = criteria.filter(({ score }) => score !== null)
  const most = scored.reduce((sum, { max_score }) => sum + max_score, 0)
  const sure = scored.reduce((sum, { confidence, max_score }) => sum + confidence * max_score, 0)
  return most > 0 ? Math.round((sure / most) * 1000) / 1000 : 0
}

/** That the total is uncertain, if it is, naming the questions (by their printed numbers). */
export function lowConfidenceReason(
  rubric: Rubric,
  criteria: readonly Certainty[],
  unsure: string[],
): ReviewReason | null {
  if (totalError(criteria) <= MAX_TOTAL_ERROR) return null
  const [first, ...more] = unsure
  if (first === undefined)
    return { code: 'low_confidence', message: 'The grader is unsure about this paper as a whole.' }
  if (more.length > 0)
    return { code: 'low_confidence', message: `The grader is unsure about questions ${unsure.join(', ')}.` }
  const only = rubric.questions.find((question) => question.number === first)
  return {
    code: 'low_confidence',
    message: `The grader is unsure about question ${first}.`,
    ...(only ? { question_id: only.id } : {}),
  }
}

/** Expected error of the total, as a share of the points it is of. */
function totalError(criteria: readonly Certainty[]): number {
  const scored = criteria.filter(({ score }) => score !== null)
  const most = scored.reduce((sum, { max_score }) => sum + max_score, 0)
  const squares = scored.reduce((sum, { confidence, max_score }) => sum + ((1 - confidence) * max_score) ** 2, 0)
  return most > 0 ? Math.sqrt(squares) / most : 0
}
