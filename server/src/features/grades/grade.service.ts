import type { CriterionGrade, ReviewReason } from '@assay/shared/grades.ts'
import type { Rubric } from '@assay/shared/rubrics.ts'
import type { ScoredCriterion } from '@assay/shared/rules/criterion-points.ts'
import type { ExtractedSubmission, Grader, ReviewReasonCode, SuggestedGrade } from '../../grader/grader.ts'
import type { PreviousGrade } from '../../grader/scoring/combine-grade.ts'
import { REVIEW_BUDGET, unsettledReasons } from '../../grader/scoring/teacher-scores.ts'
import { nextId, nextIds } from '../../lib/database/database.ts'
import { hashOf } from '../../lib/security/hash-of.ts'
import { type GradeDetailsDoc, GradeDetailsModel, type InputHashes } from '../../records/grading/grade.model.ts'
import type { PointsByCriterion } from '../../records/grading/question-change.model.ts'
import type { GradeOfSubmission, SubmissionDoc } from '../../records/submissions/submission.model.ts'
import { submissionExists } from '../submissions/submission.service.ts'
import { findAwaitingGrade, findNotInRun, replaceGrade, storeRunGrade } from '../submissions/submission-grades.ts'
import { keptItems, scoreGrade, wholeScoreOf } from './grade-items.ts'
import { findItemsById, type ItemsById } from './rubric-items/rubric-item.service.ts'

export const findCriterionGrades = async (gradeId: number): Promise<CriterionGrade[] | null> =>
  (await GradeDetailsModel.findById(gradeId).lean())?.criteria ?? null

export async function findCriterionGradesOf(gradeIds: number[]): Promise<Map<number, CriterionGrade[]>> {
  const details = await GradeDetailsModel.find({ _id: { $in: gradeIds } }, { criteria: 1 }).lean()
  return new Map(details.map(({ _id, criteria }) => [_id, criteria]))
}

type CriterionConfidence = Pick<CriterionGrade, 'criterion_id' | 'score' | 'confidence'>

export async function findCriterionConfidences(gradeIds: number[]): Promise<Map<number, CriterionConfidence[]>> {
  const fields = { 'criteria.criterion_id': 1, 'criteria.score': 1, 'criteria.confidence': 1 } as const
  const details = await GradeDetailsModel.find({ _id: { $in: gradeIds } }, fields).lean<
    { _id: number; criteria: CriterionConfidence[] }[]
  >()
  return new Map(details.map(({ _id, criteria }) => [_id, criteria]))
}

interface GradeProvenance {
  runId: number
  classKey: string
  rubricVersion: number
  grader: Pick<Grader, 'name' | 'version'>
  inputs: InputHashes
}

/** In one step, only while the submission waits for this run, else null. A teacher's override and feedback stay. */
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
    const grade = found && buildGrade(id, withOwnerSettled(suggestion, found), made, await loadGradeBefore(before), now)
    const stored = grade && (await storeRunGrade(submissionId, made.runId, before?.revision ?? null, grade))
    // A teacher decided in between: try again on the current grade.
    if (found && !stored) continue
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

interface GradeBefore {
  before: GradeOfSubmission | null
  criteria: CriterionGrade[]
  items: ItemsById
}

async function loadGradeBefore(before: GradeOfSubmission | null): Promise<GradeBefore> {
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
  { before, criteria, items }: GradeBefore,
  now: Date,
): GradeOfSubmission {
  const decisions = retainValidDecisions(before?.decisions, criteria, suggestion.criteria)
  const lost = Object.keys(before?.decisions ?? {}).length > Object.keys(decisions).length
  const { overall_score } = suggestion
  // A teacher's own flag stays until it is withdrawn or the paper is approved.
  const flagged = before?.needs_review ? before.review_reasons.filter(({ code }) => code === REVIEW_BUDGET) : []
  const reasons = [...(lost ? [POINTS_CHANGED] : []), ...suggestion.reasons, ...flagged]
  const open = unsettledReasons(reasons, suggestion.criteria, decisions)
  const score = scoreGrade({ ...before, overall_score }, suggestion.criteria, decisions)
  const wholeScore = wholeScoreOf(score)
  return {
    id,
    revision: (before?.revision ?? 0) + 1,
    overall_score,
    ...score,
    confidence: suggestion.confidence,
    summary: wholeScore === null || wholeScore === overall_score ? suggestion.summary : '',
    needs_review: open.length > 0,
    review_reasons: [...open, ...reasons.filter((reason) => !open.includes(reason))],
    decisions,
    decided_by: before?.decided_by ?? {},
    criterion_feedback: retainFeedback(before?.criterion_feedback, suggestion.criteria),
    ...keptItems(before, decisions, items),
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

const POINTS_CHANGED: ReviewReason = {
  code: 'points_changed',
  message: 'Some points you gave were removed, because the maximum points of their criteria have changed.',
}

function retainValidDecisions(
  decisions: PointsByCriterion | undefined,
  then: readonly ScoredCriterion[],
  now: readonly ScoredCriterion[],
): PointsByCriterion {
  const worth = (criteria: readonly ScoredCriterion[]) =>
    new Map(criteria.map(({ criterion_id, max_score }) => [criterion_id, max_score]))
  const [before, after] = [worth(then), worth(now)]
  return Object.fromEntries(
    Object.entries(decisions ?? {}).filter(
      ([id, score]) => score <= (after.get(id) ?? -1) && after.get(id) === before.get(id),
    ),
  )
}

/** Unlike points, feedback stays when the criterion's points have changed. */
function retainFeedback(
  feedback: Record<string, string> | undefined,
  criteria: readonly Pick<CriterionGrade, 'criterion_id'>[],
): Record<string, string> {
  const known = new Set(criteria.map(({ criterion_id }) => criterion_id))
  return Object.fromEntries(Object.entries(feedback ?? {}).filter(([id]) => known.has(id)))
}

/** Tries again if the grade changes meanwhile. Null when grade or file are gone, or the paper is being graded. */
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
      ...buildGrade(id, suggestion, madeNow, await loadGradeBefore(before), now),
      times_graded,
    }
    // A teacher's own score still counts, and so does their review.
    const { reviewed_at, needs_review } = before
    if (reviewed_at && grade.manual_score_override !== null && !grade.unscored_points)
      Object.assign(grade, { reviewed_at, needs_review })
    const stored = await replaceGrade(submission, before.revision, grade)
    if (stored) return stored
    await GradeDetailsModel.deleteOne({ _id: id })
  }
}

const sha256 = (value: unknown) => hashOf(JSON.stringify(value))

/** Of what the grader was given: what is stored may have changed when its grade arrives. */
export function hashInputs(used: {
  submission: Pick<SubmissionDoc, 'file'>
  rubric: Pick<Rubric, 'questions'>
  extracted: Pick<ExtractedSubmission, 'answers'>
}): InputHashes {
  const words = used.extracted.answers.map(({ question_id, text }) => [question_id, text])
  return { paper: used.submission.file.hash, rubric: sha256(used.rubric.questions), answers: sha256(words) }
}

export function toCurrentGrade(grade: GradeOfSubmission, criteria: CriterionGrade[]): PreviousGrade {
  return {
    criteria: criteria.map(({ id: _, teacher_score: __, llm_performance_level, llm_feedback, ...criterion }) => ({
      ...criterion,
      level: llm_performance_level,
      feedback: llm_feedback,
    })),
    // Every other stored code came from a grader.
    reasons: grade.review_reasons
      .filter(({ code }) => code !== REVIEW_BUDGET)
      .map((reason) => ({ ...reason, code: reason.code as ReviewReasonCode })),
    summary: grade.summary,
  }
}

export const findGradeDetails = (submissionId: number): Promise<GradeDetailsDoc[]> =>
  GradeDetailsModel.find({ submission_id: submissionId }).sort({ _id: 1 }).lean()
