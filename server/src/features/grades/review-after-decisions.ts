import type { CriterionGrade } from '@assay/shared/grades.ts'
import type { PointsByCriterion } from '../../records/grading/question-change.model.ts'
import type { GradeOfSubmission } from '../../records/submissions/submission.model.ts'

/** Reviewed once all criteria are decided; needs review while a reason is about others. Takes all decisions. */
export function reviewAfterDecisions(
  before: GradeOfSubmission,
  criteria: readonly CriterionGrade[],
  decisions: PointsByCriterion,
  now: Date,
): Pick<GradeOfSubmission, 'needs_review' | 'reviewed_at'> {
  const isComplete = (given: PointsByCriterion | undefined) =>
    criteria.every(({ criterion_id }) => given?.[criterion_id] !== undefined)
  const unsettled = (given: PointsByCriterion | undefined) => hasUnsettledReason(before, criteria, given)
  return {
    // Approving the whole paper settles its reasons; decisions on single questions do not reopen them.
    needs_review: unsettled(decisions) && (before.needs_review || !unsettled(before.decisions)),
    reviewed_at: isComplete(decisions) ? now : isComplete(before.decisions) ? null : before.reviewed_at,
  }
}

/** Whether a reason is about questions that nobody has given points for. */
export function hasUnsettledReason(
  { review_reasons }: Pick<GradeOfSubmission, 'review_reasons'>,
  criteria: readonly CriterionGrade[],
  decisions: PointsByCriterion | undefined,
): boolean {
  const open = new Set(
    criteria.flatMap(({ criterion_id, question_id }) => (decisions?.[criterion_id] === undefined ? [question_id] : [])),
  )
  return review_reasons.some(({ code, question_id, question_ids }) => {
    // Doubts the total, which is certain once a person has given all points.
    if (code === REVIEW_BUDGET) return open.size > 0
    const about = question_ids ?? (question_id === undefined ? [] : [question_id])
    return about.length === 0 || about.some((id) => open.has(id))
  })
}

/** Given by teachers' review budgets only, never by graders. */
export const REVIEW_BUDGET = 'review_budget'
