import type { CriterionGrade, GradeOverride } from '@assay/shared/grades.ts'
import { finalPoints, percentFromPoints, unscoredPoints } from '@assay/shared/rules/criterion-points.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import type { Grader, SuggestedGrade } from '../../grader/grader.ts'
import { nextId, nextIds } from '../../lib/database/database.ts'
import { AppError, notFound } from '../../lib/http/app-error.ts'
import type { Actor } from '../../lib/http/handle.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import { type GradeDetailsDoc, GradeDetailsModel, type InputHashes } from '../../records/grading/grade.model.ts'
import { markScoresChanged } from '../../records/lti/mark-scores-changed.ts'
import type { GradeOfSubmission, SubmissionDoc } from '../../records/submissions/submission.model.ts'
import { findItems, findItemsById, type ItemsById } from '../rubric-items/rubric-item.service.ts'
import { findSubmission, submissionExists } from '../submissions/submission.service.ts'
import {
  findAwaitingGrade,
  findNotInRun,
  replaceGrade,
  storeGradeDecision,
  storeRunGrade,
} from '../submissions/submission-grades.ts'
import {
  applyDecisionChanges,
  applyFeedbackChanges,
  auditedDecision,
  decisionAuthors,
  POINTS_CHANGED,
  retainFeedback,
  retainValidDecisions,
} from './decisions.ts'
import { itemsAfterPoints, keptItems } from './grade-items.ts'
import { deleteReleases, releaseGrades } from './release.service.ts'
import { REVIEW_BUDGET, reviewAfterDecisions } from './review-after-decisions.ts'

/** As the grader suggested them. */
export async function findCriterionGrades(gradeId: number): Promise<CriterionGrade[] | null> {
  return (await GradeDetailsModel.findById(gradeId).lean())?.criteria ?? null
}

export async function findCriterionGradesOf(gradeIds: number[]): Promise<Map<number, CriterionGrade[]>> {
  const details = await GradeDetailsModel.find({ _id: { $in: gradeIds } }, { criteria: 1 }).lean()
  return new Map(details.map(({ _id, criteria }) => [_id, criteria]))
}

interface GradeProvenance {
  runId: number
  classKey: string
  rubricVersion: number
  grader: Pick<Grader, 'name' | 'version'>
  inputs: InputHashes
}

/** In one step, only while the submission waits for this run (else null). A teacher's override and feedback stay. */
export async function storeSuggestion(
  submissionId: number,
  suggestion: SuggestedGrade,
  made: GradeProvenance,
  now: Date,
): Promise<SubmissionDoc | null> {
  const id = await nextId('grades')
  await storeDetails(id, submissionId, suggestion, made, now)
  for (;;) {
    const found = await findAwaitingGrade(submissionId, made.runId)
    const before = found?.grade ?? null
    const grade =
      found && buildGrade(id, withOwnerSettled(suggestion, found), made, await loadPreviousGrade(before), now)
    const stored = grade && (await storeRunGrade(submissionId, made.runId, before?.revision ?? null, grade))
    // A teacher decided in between: try again on the current grade.
    if (found && !stored) continue
    // Too late: nothing refers to it.
    if (!stored) await GradeDetailsModel.deleteOne({ _id: id })
    return stored
  }
}

async function storeDetails(
  id: number,
  submissionId: number,
  { criteria, overall_score, confidence, reasons, call_ids, prompt_version, input_hash }: SuggestedGrade,
  { grader, runId, rubricVersion, classKey, inputs }: GradeProvenance,
  now: Date,
): Promise<void> {
  // Deleted in the meantime: nothing will refer to it.
  if (!(await submissionExists(submissionId))) return
  const first = await nextIds('criterion_grades', Math.max(1, criteria.length))
  await GradeDetailsModel.create({
    _id: id,
    submission_id: submissionId,
    criteria: criteria.map(({ level, feedback, ...criterion }, i) => ({
      id: first + i,
      ...criterion,
      llm_performance_level: level,
      llm_feedback: feedback,
    })),
    made: {
      at: now,
      grader: { name: grader.name, version: grader.version },
      run_id: runId,
      rubric_version: rubricVersion,
      class_key: classKey,
      inputs,
      overall_score,
      confidence,
      reasons,
      ...(call_ids ? { call_ids } : {}),
      ...(prompt_version ? { prompt_version } : {}),
      ...(input_hash ? { input_hash } : {}),
    },
  })
}

/** `criteria`: empty unless the teacher gave points for any. */
interface PreviousGrade {
  before: GradeOfSubmission | null
  criteria: CriterionGrade[]
  items: ItemsById
}

async function loadPreviousGrade(before: GradeOfSubmission | null): Promise<PreviousGrade> {
  const given = Object.keys(before?.decisions ?? {}).length > 0
  return {
    before,
    criteria: before && given ? ((await findCriterionGrades(before.id)) ?? []) : [],
    items: await findItemsById(before?.applied_items ?? []),
  }
}

/** Once a teacher has said whose a paper is, its name is no question any more. */
function withOwnerSettled(
  suggestion: SuggestedGrade,
  { student_set_by, student_id }: Pick<SubmissionDoc, 'student_set_by' | 'student_id'>,
): SuggestedGrade {
  if (student_set_by !== 'teacher' || student_id === null) return suggestion
  const reasons = suggestion.reasons.filter(({ code }) => code !== 'two_students' && code !== 'other_name')
  return reasons.length < suggestion.reasons.length
    ? { ...suggestion, reasons, needs_review: reasons.length > 0 }
    : suggestion
}

function buildGrade(
  id: number,
  suggestion: SuggestedGrade,
  made: GradeProvenance,
  { before, criteria, items }: PreviousGrade,
  now: Date,
): GradeOfSubmission {
  const decisions = retainValidDecisions(before?.decisions, criteria, suggestion.criteria)
  const lost = Object.keys(before?.decisions ?? {}).length > Object.keys(decisions).length
  // An override from points follows the points; a score for the whole paper stays.
  const wholeScore = before?.override_from_points ? null : (before?.manual_score_override ?? null)
  const override = before?.override_from_points ? percentFromPoints(decisions, suggestion.criteria) : wholeScore
  // A teacher's own flag stays until it is withdrawn or the paper is approved.
  const flagged = before?.needs_review ? before.review_reasons.filter(({ code }) => code === REVIEW_BUDGET) : []
  const reasons = [...(lost ? [POINTS_CHANGED] : []), ...suggestion.reasons, ...flagged]
  return {
    id,
    revision: (before?.revision ?? 0) + 1,
    overall_score: suggestion.overall_score,
    confidence: suggestion.confidence,
    summary: suggestion.summary,
    needs_review: suggestion.needs_review || lost || flagged.length > 0,
    review_reasons: reasons,
    manual_score_override: override,
    decisions,
    decided_by: before?.decided_by ?? {},
    criterion_feedback: retainFeedback(before?.criterion_feedback, suggestion.criteria),
    ...keptItems(before, decisions, items),
    override_from_points: override !== null && (before?.override_from_points ?? false),
    final_score: override ?? suggestion.overall_score,
    points: finalPoints(suggestion.criteria, decisions, wholeScore),
    unscored_points: wholeScore === null ? unscoredPoints(suggestion.criteria, decisions) : 0,
    manual_feedback: before?.manual_feedback ?? null,
    reviewed_at: null,
    reviewed_by: before?.reviewed_by ?? null,
    released: false,
    grader: { name: made.grader.name, version: made.grader.version },
    rubric_version: made.rubricVersion,
    class_key: made.classKey,
    run_id: made.runId,
    times_graded: (before?.times_graded ?? 0) + 1,
    graded_at: now,
  }
}

/**
 * Retries if the grade changes meanwhile. Null when grade or file are gone, or the paper is being graded. Releases,
 * overrides and feedback stay; without an override the grade needs review again.
 */
export async function storeRescored(
  submission: Pick<SubmissionDoc, '_id' | 'file'>,
  made: Pick<GradeProvenance, 'classKey' | 'grader' | 'inputs'>,
  now: Date,
  combine: (grade: GradeOfSubmission) => Promise<SuggestedGrade>,
): Promise<SubmissionDoc | null> {
  const id = await nextId('grades')
  for (;;) {
    const found = await findNotInRun(submission)
    const before = found?.grade
    if (!before) return null
    const suggestion = withOwnerSettled(await combine(before), found)
    const { run_id: runId, rubric_version: rubricVersion, times_graded } = before
    const madeNow = { ...made, runId, rubricVersion }
    await storeDetails(id, submission._id, suggestion, madeNow, now)
    const grade: GradeOfSubmission = {
      ...buildGrade(id, suggestion, madeNow, await loadPreviousGrade(before), now),
      times_graded,
    }
    // A teacher's own score still counts, and so does their review.
    const { reviewed_at, needs_review } = before
    if (grade.manual_score_override !== null && !grade.unscored_points)
      Object.assign(grade, { reviewed_at, needs_review })
    const stored = await replaceGrade(submission, before.revision, grade)
    if (stored) return stored
    await GradeDetailsModel.deleteOne({ _id: id })
  }
}

export function requireGradeOf(submission: SubmissionDoc, gradeId: number): GradeOfSubmission {
  if (!submission.grade || submission.grade.id !== gradeId) {
    throw notFound('This grade no longer exists. The paper may have been graded again; reload the page.')
  }
  return submission.grade
}

const GRADE_CONFLICT = 'Someone else has changed this grade. Check the current grade, then enter your decision again.'

/** Released where published. @throws {AppError} `conflict` for another revision; `validation_failed` for bad points */
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
  const items = before.applied_items ? await findItems(assignment._id) : new Map()
  const fromPoints = override.overall_score === null ? percentFromPoints(decisions, criteria) : null
  const score = override.overall_score ?? fromPoints
  // A score for the whole paper covers what nobody has graded, too.
  const unscored = override.overall_score === null ? unscoredPoints(criteria, decisions) : 0
  const seen = { id: gradeId, revision: override.revision ?? before.revision }
  const stored = await storeGradeDecision(submission._id, seen, {
    manual_score_override: score,
    decisions,
    decided_by: decisionAuthors(before, decisions, actor.id),
    criterion_feedback: applyFeedbackChanges(before.criterion_feedback, override.criteria ?? []),
    ...itemsAfterPoints(before, decisions, items, criteria),
    override_from_points: fromPoints !== null,
    final_score: score ?? before.overall_score,
    points: finalPoints(criteria, decisions, override.overall_score),
    unscored_points: unscored,
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
  if (assignment.status !== 'published') return stored
  await releaseGrades([stored], now)
  await markScoresChanged(assignment._id)
  return { ...stored, grade: { ...stored.grade, released: true } }
}

/** The oldest first. */
export function findGradeDetails(submissionId: number): Promise<GradeDetailsDoc[]> {
  return GradeDetailsModel.find({ submission_id: submissionId }).sort({ _id: 1 }).lean()
}

export async function deleteGrades(submissionIds: number[]): Promise<void> {
  await deleteReleases(submissionIds)
  await GradeDetailsModel.deleteMany({ submission_id: { $in: submissionIds } })
}
