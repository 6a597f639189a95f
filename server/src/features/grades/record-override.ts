import type { CriterionDecision, CriterionGrade, GradeOverride, ReviewReason } from '@assay/shared/grades.ts'
import type { ScoredCriterion } from '@assay/shared/rules/criterion-points.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { REVIEW_BUDGET, unsettledReasons } from '../../grader/scoring/teacher-scores.ts'
import { batchesOf } from '../../lib/batches.ts'
import { AppError, invalidInput, notFound } from '../../lib/http/app-error.ts'
import type { Actor } from '../../lib/http/handle.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { PointsByCriterion } from '../../records/grading/question-change.model.ts'
import { markScoresChanged } from '../../records/lti/mark-scores-changed.ts'
import type { GradeOfSubmission, SubmissionDoc } from '../../records/submissions/submission.model.ts'
import { findSubmission } from '../submissions/submission.service.ts'
import { findGradedSubmissions, storeGradeDecision, storeGradeDecisions } from '../submissions/submission-grades.ts'
import { findCriterionGrades, findCriterionGradesOf } from './grade.service.ts'
import { itemsAfterPoints, scoreGrade, summaryAfter } from './grade-items.ts'
import { releaseGrades } from './release.service.ts'
import { findItems, type ItemsById } from './rubric-items/rubric-item.service.ts'

const BATCH = 250

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
  for (const batch of batchesOf(submissionIds, BATCH)) {
    let open = batch
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

/** Reviewed once all criteria are decided; needs review while a reason is about others. */
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
    // Decisions on single questions do not reopen what approving the whole paper has settled.
    needs_review: open.length > 0 && (before.needs_review || !wasOpen),
    review_reasons: [...open, ...before.review_reasons.filter((reason) => !open.includes(reason))],
    reviewed_at: isComplete(decisions) ? now : isComplete(before.decisions) ? null : before.reviewed_at,
  }
}

const GRADE_CONFLICT = 'Someone else has changed this grade. Check the current grade, then enter your decision again.'

/** @throws {AppError} `conflict` for another revision; `validation_failed` for bad points */
export async function recordOverride(
  assignment: AssignmentDoc,
  submission: SubmissionDoc,
  gradeId: number,
  override: GradeOverride,
  actor: Actor,
  now: Date,
): Promise<SubmissionDoc> {
  const before = requireGradeOf(submission, gradeId)
  const criteria = (await findCriterionGrades(gradeId)) ?? []
  const decisions = applyDecisionChanges(before.decisions, override.criteria ?? [], criteria)
  const items: ItemsById = before.applied_items ? await findItems(assignment._id) : new Map()
  const score = scoreGrade(before, criteria, decisions, override.overall_score)
  const seen = { id: gradeId, revision: override.revision ?? before.revision }
  const stored = await storeGradeDecision(submission._id, seen, {
    ...score,
    decisions,
    decided_by: decisionAuthors(before, decisions, actor.id),
    criterion_feedback: applyFeedbackChanges(before.criterion_feedback, override.criteria ?? []),
    ...itemsAfterPoints(before, decisions, items, criteria),
    summary: summaryAfter(before, criteria, { ...score, decisions }, assignment.rubric),
    manual_feedback: override.human_review_notes?.trim() || null,
    ...(override.reviewed === false
      ? reviewAfterDecisions(before, criteria, decisions, now)
      : { needs_review: override.needs_review ?? false, reviewed_at: now }),
    reviewed_by: actor.id,
  })
  if (!stored?.grade) {
    if (override.revision !== undefined) throw new AppError('conflict', GRADE_CONFLICT)
    const fresh = await findSubmission(submission._id)
    if (!fresh) throw notFound('This submission does not exist.')
    return recordOverride(assignment, fresh, gradeId, override, actor, now)
  }
  const subject = { assignment_id: assignment._id, submission_id: submission._id, grade_id: gradeId }
  await recordAudit(actor, 'grade.overridden', subject, now, {
    before: auditedDecision(before),
    after: auditedDecision(stored.grade),
  })
  // What was held back when the others were released waits until it is reviewed.
  if (assignment.status !== 'published' || !(before.released || stored.grade.reviewed_at)) return stored
  await releaseGrades([stored], now)
  await markScoresChanged(assignment._id)
  return { ...stored, grade: { ...stored.grade, released: true } }
}

export function requireGradeOf(submission: SubmissionDoc, gradeId: number): GradeOfSubmission {
  if (!submission.grade || submission.grade.id !== gradeId)
    throw notFound('This grade no longer exists. The paper may have been graded again; reload the page.')
  return submission.grade
}

function applyDecisionChanges(
  before: PointsByCriterion | undefined,
  changes: readonly CriterionDecision[],
  criteria: readonly ScoredCriterion[],
): PointsByCriterion {
  const after = { ...before }
  const most = new Map(criteria.map(({ criterion_id, max_score }) => [criterion_id, max_score]))
  for (const { criterion_id, score } of changes) {
    const max = most.get(criterion_id)
    if (max === undefined)
      throw invalidDecision(criterion_id, 'This grade no longer has this criterion. Reload the page.')
    if (score === undefined) continue
    if (score === null) delete after[criterion_id]
    else if (score > max) throw invalidDecision(criterion_id, `At most ${max} points`)
    else after[criterion_id] = score
  }
  return after
}

function applyFeedbackChanges(before: Record<string, string> | undefined, changes: readonly CriterionDecision[]) {
  const after = { ...before }
  for (const { criterion_id, feedback } of changes) {
    if (feedback === undefined) continue
    const words = feedback?.trim()
    if (words) after[criterion_id] = words
    else delete after[criterion_id]
  }
  return after
}

const invalidDecision = (criterionId: string, msg: string) => invalidInput(['criteria', criterionId], msg, 'criteria')

const auditedDecision = (grade: GradeOfSubmission) => ({
  overall_score: grade.overall_score,
  manual_score_override: grade.manual_score_override,
  manual_feedback: grade.manual_feedback,
  needs_review: grade.needs_review,
  ...(grade.decisions && Object.keys(grade.decisions).length > 0 ? { points: grade.decisions } : {}),
  ...(grade.criterion_feedback && Object.keys(grade.criterion_feedback).length > 0
    ? { criterion_feedback: grade.criterion_feedback }
    : {}),
})

export function decisionAuthors(
  before: Pick<GradeOfSubmission, 'decisions' | 'decided_by'> | null,
  decisions: PointsByCriterion,
  actorId: number,
): Record<string, number> {
  return Object.fromEntries(
    Object.entries(decisions).flatMap(([id, points]) => {
      const author = before?.decisions?.[id] === points ? before.decided_by?.[id] : actorId
      return author === undefined ? [] : [[id, author]]
    }),
  )
}
