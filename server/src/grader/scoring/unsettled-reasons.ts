import type { CriterionGrade, ReviewReason } from '@assay/shared/grades.ts'
import type { TeacherScores } from './teacher-scores.ts'

/** Given by teachers' review budgets only, never by graders. */
export const REVIEW_BUDGET = 'review_budget'

/** Of grades made before each question had its own reason, several. */
export const questionIdsOf = ({ question_id, question_ids }: Pick<ReviewReason, 'question_id' | 'question_ids'>) =>
  question_ids ?? (question_id === undefined ? [] : [question_id])

/** Reasons about the paper, and about questions that nobody has given all points for. */
export function unsettledReasons(
  reasons: readonly ReviewReason[],
  criteria: readonly Pick<CriterionGrade, 'criterion_id' | 'question_id'>[],
  decisions: TeacherScores = {},
): ReviewReason[] {
  const open = new Set(
    criteria.flatMap(({ criterion_id, question_id }) => (decisions[criterion_id] === undefined ? [question_id] : [])),
  )
  return reasons.filter((reason) => {
    const about = questionIdsOf(reason)
    // A budget doubts the total, which is certain once a person has given all points.
    if (reason.code === REVIEW_BUDGET) return open.size > 0
    return about.length === 0 || about.some((id) => open.has(id))
  })
}
