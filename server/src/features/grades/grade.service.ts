import type { CriterionGrade, Override } from '@assay/shared/grades.ts'
import type { Grader, SuggestedGrade } from '../../grader/grader.ts'
import { AppError, notFound } from '../../lib/app-error.ts'
import { nextId, nextIds } from '../../lib/db.ts'
import type { Actor } from '../../lib/handle.ts'
import { recordAudit } from '../admin/audit.service.ts'
import type { AssignmentDoc } from '../assignments/assignment.model.ts'
import {
  type GradeOfSubmission,
  type SubmissionDoc,
  SubmissionModel,
} from '../submissions/submission.model.ts'
import { GradeDetailsModel } from './grade.model.ts'
import { deleteReleases, releaseGrades } from './release.service.ts'

export async function findDetails(gradeId: number): Promise<CriterionGrade[] | null> {
  return (await GradeDetailsModel.findById(gradeId).lean())?.criteria ?? null
}

interface MadeWith {
  runId: number
  classKey: string
  rubricVersion: number
  grader: Pick<Grader, 'name' | 'version'>
}

/**
 * Puts a suggestion in as the submission's grade, once per run: the row's state, the grade and its flags change in
 * one step, and only while the submission still waits for this run. A teacher's override and words stay, also those
 * recorded while the paper was being graded. Returns null when the submission waits for this run no more.
 */
export async function storeSuggestion(
  submissionId: number,
  suggestion: SuggestedGrade,
  made: MadeWith,
  now: Date,
): Promise<SubmissionDoc | null> {
  const id = await nextId('grades')
  await keepDetails(id, submissionId, suggestion)
  for (;;) {
    const waiting = { _id: submissionId, run_id: made.runId, status: 'grading' as const }
    const found = await SubmissionModel.findOne(waiting).lean()
    const before = found?.grade ?? null
    const stored = found
      ? await SubmissionModel.findOneAndUpdate(
          { ...waiting, 'grade.revision': before?.revision ?? null },
          {
            $set: {
              grade: gradeOf(id, suggestion, made, before, now),
              status: 'graded',
              failure: null,
              updated_at: now,
            },
          },
          { returnDocument: 'after' },
        ).lean()
      : null
    // A teacher decided in between: once more, on what stands now.
    if (found && !stored) continue
    // What the grade points to is kept; the other set of criteria is nobody's.
    const orphan = stored ? before?.id : id
    if (orphan !== undefined) await GradeDetailsModel.deleteOne({ _id: orphan })
    return stored
  }
}

async function keepDetails(id: number, submissionId: number, { criteria }: SuggestedGrade): Promise<void> {
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
  })
}

function gradeOf(
  id: number,
  suggestion: SuggestedGrade,
  made: MadeWith,
  before: GradeOfSubmission | null,
  now: Date,
): GradeOfSubmission {
  return {
    id,
    revision: (before?.revision ?? 0) + 1,
    overall_score: suggestion.overall_score,
    confidence: suggestion.confidence,
    summary: suggestion.summary,
    needs_review: suggestion.needs_review,
    review_reasons: suggestion.reasons,
    manual_score_override: before?.manual_score_override ?? null,
    final_score: before?.manual_score_override ?? suggestion.overall_score,
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

/** All three ids, never the last one alone. */
export function requireGradeOf(submission: SubmissionDoc, gradeId: number): GradeOfSubmission {
  if (!submission.grade || submission.grade.id !== gradeId) {
    throw notFound('There is no such grade: the paper may have been graded again. Reload the page.')
  }
  return submission.grade
}

const MEANWHILE = 'This grade was changed meanwhile. Look at what stands now, then decide again.'

/**
 * Records the teacher's decision, and releases it where the assignment is published.
 * @throws {AppError} `conflict` when the decision names a revision that is no longer the grade's
 */
export async function recordOverride(
  assignment: AssignmentDoc,
  submission: SubmissionDoc,
  gradeId: number,
  override: Override,
  actor: Actor,
  now: Date,
): Promise<SubmissionDoc> {
  const before = requireGradeOf(submission, gradeId)
  const stored = await SubmissionModel.findOneAndUpdate(
    { _id: submission._id, 'grade.id': gradeId, 'grade.revision': override.revision ?? before.revision },
    {
      $set: {
        'grade.manual_score_override': override.overall_score,
        'grade.final_score': override.overall_score ?? before.overall_score,
        'grade.manual_feedback': override.human_review_notes?.trim() || null,
        'grade.needs_review': override.needs_review ?? false,
        'grade.reviewed_at': now,
        'grade.reviewed_by': actor.id,
        'grade.released': false,
        updated_at: now,
      },
      $inc: { 'grade.revision': 1 },
    },
    { returnDocument: 'after' },
  ).lean()
  if (!stored?.grade) {
    if (override.revision !== undefined) throw new AppError('conflict', MEANWHILE)
    const fresh = await SubmissionModel.findById(submission._id).lean()
    if (!fresh) throw notFound('There is no such submission.')
    return recordOverride(assignment, fresh, gradeId, override, actor, now)
  }
  const subject = { assignment_id: assignment._id, submission_id: submission._id, grade_id: gradeId }
  await recordAudit(actor, 'grade.overridden', subject, now, {
    before: decision(before),
    after: decision(stored.grade),
  })
  if (assignment.status !== 'published') return stored
  await releaseGrades([stored], now)
  return { ...stored, grade: { ...stored.grade, released: true } }
}

const decision = (grade: GradeOfSubmission) => ({
  overall_score: grade.overall_score,
  manual_score_override: grade.manual_score_override,
  manual_feedback: grade.manual_feedback,
  needs_review: grade.needs_review,
})

export async function forgetGrades(submissionIds: number[]): Promise<void> {
  await deleteReleases(submissionIds)
  await GradeDetailsModel.deleteMany({ submission_id: { $in: submissionIds } })
}
