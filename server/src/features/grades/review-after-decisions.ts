import type { CriterionGrade } from '@assay/shared/grades.ts'
import type { PointsByCriterion } from '../../records/grading/question-change.model.ts'
import type { GradeOfSubmission } from '../../records/submissions/submission.model.ts'

/**
 * Where a grade stands after decisions on some of its criteria: reviewed once all of them are decided, and in need of review while
 * something is to be looked at beyond those that are. `decisions`: all of the grade's, as they are now.
 */
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
    // Who approved the paper as a whole has settled its reasons; decisions on single questions do not bring them up again.
    needs_review: unsettled(decisions) && (before.needs_review || !unsettled(before.decisions)),
    reviewed_at: isComplete(decisions) ? now : isComplete(before.decisions) ? null : before.reviewed_at,
  }
}

/** Whether something was to be looked at beyond the questions that people have given points for. */
export function hasUnsettledReason(
  { review_reasons }: Pick<GradeOfSubmission, 'review_reasons'>,
  criteria: readonly CriterionGrade[],
  decisions: PointsByCriterion | undefined,
): boolean {
  const open = new Set(
    criteria.flatMap(({ criterion_id, question_id }) => (decisions?.[criterion_id] === undefined ? [question_id] : [])),
  )
  return review_reasons.some(({ code, question_id, question_ids }) => {
    // It doubts the total, which is certain once a person has given all of its points.
    if (code === REVIEW_BUDGET) return open.size > 0
    const about = question_ids ?? (question_id === undefined ? [] : [question_id])
    return about.length === 0 || about.some((id) => open.has(id))
  })
}

/** The code of the review reason of papers that a teacher has flagged by a review budget; graders never give it. */
export const REVIEW_BUDGET = 'review_budget'
