import type { CriterionGrade, ReviewReason } from '@assay/shared/grades.ts'
import { REVIEW_BUDGET, unsettledReasons } from '../../grader/scoring/teacher-scores.ts'
import type { PointsByCriterion } from '../../records/grading/question-change.model.ts'
import type { GradeOfSubmission, SubmissionDoc } from '../../records/submissions/submission.model.ts'
import { findGradedSubmissions, storeGradeDecisions } from '../submissions/submission-grades.ts'
import { findCriterionGradesOf } from './grade.service.ts'

const BATCH = 250

/** Only papers that nobody has approved. Returns those that were changed. */
export const addBudgetReason = (
  assignmentId: number,
  submissionIds: number[],
  reason: ReviewReason,
): Promise<SubmissionDoc[]> =>
  changeGrades(assignmentId, submissionIds, (grade) =>
    grade.reviewed_at
      ? null
      : { ...grade, review_reasons: [...withoutBudget(grade.review_reasons), reason], needs_review: true },
  )

/** Papers with other reasons stay flagged. Returns those that were changed. */
export const removeBudgetReason = (assignmentId: number, submissionIds: number[]): Promise<SubmissionDoc[]> =>
  changeGrades(assignmentId, submissionIds, (grade, criteria) => {
    const review_reasons = withoutBudget(grade.review_reasons)
    if (review_reasons.length === grade.review_reasons.length) return null
    const needs_review = grade.needs_review && unsettledReasons(review_reasons, criteria, grade.decisions).length > 0
    return { ...grade, review_reasons, needs_review }
  })

const withoutBudget = (reasons: ReviewReason[]) => reasons.filter(({ code }) => code !== REVIEW_BUDGET)

/** `change` returns null for no change. Tries again when a grade changes meanwhile; skips papers being graded. */
async function changeGrades(
  assignmentId: number,
  submissionIds: number[],
  change: (grade: GradeOfSubmission, criteria: CriterionGrade[]) => GradeOfSubmission | null,
): Promise<SubmissionDoc[]> {
  const changed: SubmissionDoc[] = []
  for (let i = 0; i < submissionIds.length; i += BATCH) {
    let open = submissionIds.slice(i, i + BATCH)
    while (open.length > 0) {
      const found = await findGradedSubmissions(assignmentId, open)
      const criteriaById = await findCriterionGradesOf(found.flatMap(({ grade }) => grade?.id ?? []))
      const next = found.flatMap((submission) => {
        const { grade: before } = submission
        const grade = before && change(before, criteriaById.get(before.id) ?? [])
        return grade ? [{ submission, before, grade: { ...grade, revision: before.revision + 1 } }] : []
      })
      const stored = await storeGradeDecisions(
        next.map(({ submission, before, grade }) => ({ _id: submission._id, revision: before.revision, grade })),
      )
      for (const { submission, grade } of next) if (stored.has(submission._id)) changed.push({ ...submission, grade })
      open = next.flatMap(({ submission: { _id } }) => (stored.has(_id) ? [] : [_id]))
    }
  }
  return changed
}

/** Reviewed once all criteria are decided; needs review while a reason is about others. Takes all decisions. */
export function reviewAfterDecisions(
  before: GradeOfSubmission,
  criteria: readonly CriterionGrade[],
  decisions: PointsByCriterion,
  now: Date,
): Pick<GradeOfSubmission, 'needs_review' | 'review_reasons' | 'reviewed_at'> {
  const isComplete = (given: PointsByCriterion | undefined) =>
    criteria.every(({ criterion_id }) => given?.[criterion_id] !== undefined)
  const open = unsettledReasons(before.review_reasons, criteria, decisions)
  const wasOpen = unsettledReasons(before.review_reasons, criteria, before.decisions).length > 0
  return {
    // Approving the whole paper settles its reasons; decisions on single questions do not reopen them.
    needs_review: open.length > 0 && (before.needs_review || !wasOpen),
    review_reasons: [...open, ...before.review_reasons.filter((reason) => !open.includes(reason))],
    reviewed_at: isComplete(decisions) ? now : isComplete(before.decisions) ? null : before.reviewed_at,
  }
}
