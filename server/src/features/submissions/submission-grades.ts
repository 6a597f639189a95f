import { randomUUID } from 'node:crypto'
import type { RegradeState } from '@assay/shared/regrades.ts'
import type { QueryFilter } from 'mongoose'
import {
  type GradeOfSubmission,
  type SubmissionDoc,
  SubmissionModel,
} from '../../records/submissions/submission.model.ts'

// A grade's summary is in its submission, so that both change in one step.

/** The database's time, so that a query for changes since a moment misses none. */
const STAMPED_NOW = { $currentDate: { updated_at: true } } as const

export const findAwaitingGrade = (submissionId: number, runId: number): Promise<SubmissionDoc | null> =>
  SubmissionModel.findOne(awaitingGrade(submissionId, runId)).lean()

const awaitingGrade = (submissionId: number, runId: number) => ({
  _id: submissionId,
  run_id: runId,
  status: 'grading' as const,
})

export function storeRunGrade(
  submissionId: number,
  runId: number,
  revision: number | null,
  grade: GradeOfSubmission,
): Promise<SubmissionDoc | null> {
  return SubmissionModel.findOneAndUpdate(
    { ...awaitingGrade(submissionId, runId), 'grade.revision': revision },
    { $set: { grade, status: 'graded', failure: null }, ...STAMPED_NOW },
  ).lean()
}

type SubmissionFile = Pick<SubmissionDoc, '_id' | 'file'>

/** Null while it is being graded, or with another file by now. */
export const findNotInRun = (submission: SubmissionFile): Promise<SubmissionDoc | null> =>
  SubmissionModel.findOne(notInRun(submission)).lean()

const notInRun = ({ _id, file }: SubmissionFile) => ({
  _id,
  'file.hash': file.hash,
  // One that could not be graded again still has its earlier grade.
  status: { $in: ['graded', 'failed'] as const },
})

/** Null while it is being graded, with another file, or another `revision`. */
export function replaceGrade(
  submission: SubmissionFile,
  revision: number,
  grade: GradeOfSubmission,
): Promise<SubmissionDoc | null> {
  return SubmissionModel.findOneAndUpdate(
    { ...notInRun(submission), 'grade.revision': revision },
    { $set: { grade }, ...STAMPED_NOW },
  ).lean()
}

type GradeDecision = Partial<Omit<GradeOfSubmission, 'id' | 'revision' | 'released'>>

/** Unreleased until it is copied to the releases. Null when the grade or its `revision` is another. */
export function storeGradeDecision(
  submissionId: number,
  grade: { id: number; revision: number },
  decision: GradeDecision,
): Promise<SubmissionDoc | null> {
  const changes = Object.fromEntries(Object.entries(decision).map(([field, value]) => [`grade.${field}`, value]))
  return SubmissionModel.findOneAndUpdate(
    { _id: submissionId, 'grade.id': grade.id, 'grade.revision': grade.revision },
    { $set: { ...changes, 'grade.released': false }, $inc: { 'grade.revision': 1 }, ...STAMPED_NOW },
  ).lean()
}

export function findGradedSubmissions(assignmentId: number, ids: number[]): Promise<SubmissionDoc[]> {
  return SubmissionModel.find({
    _id: { $in: ids },
    assignment_id: assignmentId,
    status: { $in: ['graded', 'failed'] },
    grade: { $ne: null },
  }).lean()
}

export async function findFlaggedFor(assignmentId: number, code: string): Promise<number[]> {
  const flagged = await SubmissionModel.find(
    { assignment_id: assignmentId, 'grade.needs_review': true, 'grade.review_reasons.code': code },
    { _id: 1 },
  ).lean()
  return flagged.map(({ _id }) => _id)
}

const suggestedFields = [
  ...(['id', 'revision', 'decisions', 'rubric_version', 'released'] as const),
  ...(['reviewed_by', 'reviewed_at', 'needs_review'] as const),
]
export interface SuggestedGradeRow {
  _id: number
  grade: Pick<GradeOfSubmission, (typeof suggestedFields)[number]>
}

export function findSuggestedGrades(assignmentId: number): Promise<SuggestedGradeRow[]> {
  return SubmissionModel.find({
    assignment_id: assignmentId,
    status: 'graded',
    'grade.needs_review': false,
    'grade.reviewed_at': null,
    'grade.unscored_points': { $in: [0, null] },
    'grade.final_score': { $gte: 0 },
  })
    .select(suggestedFields.map((field) => `grade.${field}`))
    .sort({ _id: 1 })
    .lean<SuggestedGradeRow[]>()
}

export async function isBeingGraded(ids: number[]): Promise<boolean> {
  const inRun = { _id: { $in: ids }, status: { $nin: ['graded', 'failed'] as const } }
  return ids.length > 0 && (await SubmissionModel.exists(inRun)) !== null
}

export function findGradedBy(
  assignmentId: number,
  graderName: string,
  rubricVersion: number,
): AsyncIterable<SubmissionDoc> {
  return streamGraded({
    assignment_id: assignmentId,
    'grade.grader.name': graderName,
    'grade.rubric_version': rubricVersion,
  })
}

export async function isGradedByOthers(assignmentId: number, graderName: string): Promise<boolean> {
  const others = { assignment_id: assignmentId, 'grade.grader.name': { $exists: true, $ne: graderName } }
  return (await SubmissionModel.exists(others)) !== null
}

export const findAllGraded = (assignmentId: number) =>
  streamGraded({ assignment_id: assignmentId, grade: { $ne: null } })

const streamGraded = (where: QueryFilter<SubmissionDoc>): AsyncIterable<SubmissionDoc> =>
  SubmissionModel.find({ ...where, status: { $in: ['graded', 'failed'] } })
    .sort({ _id: 1 })
    .lean()
    .cursor()

/** For grades that a later rubric would not change; each only while it is the very grade. */
export async function advanceRubricVersion(
  grades: { submission_id: number; grade_id: number }[],
  versions: { from: number[]; to: number },
  now: Date,
): Promise<void> {
  if (grades.length === 0) return
  await SubmissionModel.bulkWrite(
    grades.map(({ submission_id, grade_id }) => ({
      updateOne: {
        filter: { _id: submission_id, 'grade.id': grade_id, 'grade.rubric_version': { $in: versions.from } },
        update: { $set: { 'grade.rubric_version': versions.to, updated_at: now } },
      },
    })),
    { ordered: false },
  )
}

/** Each only at its `revision`; returns the ids stored. @param write tells two people's writes of one revision apart */
export async function storeGradeDecisions(
  decided: { _id: number; revision: number; grade: GradeOfSubmission }[],
  write: string = randomUUID(),
): Promise<Set<number>> {
  if (decided.length === 0) return new Set()
  await SubmissionModel.bulkWrite(
    decided.map(({ _id, revision, grade }) => ({
      updateOne: {
        filter: { _id, 'grade.id': grade.id, 'grade.revision': revision, status: { $in: ['graded', 'failed'] } },
        update: { $set: { grade: { ...grade, written_by: write } }, ...STAMPED_NOW },
      },
    })),
    { ordered: false },
  )
  const ids = decided.map(({ _id }) => _id)
  const stored = await SubmissionModel.find({ _id: { $in: ids }, 'grade.written_by': write }, { _id: 1 }).lean()
  return new Set(stored.map(({ _id }) => _id))
}

export function findReviewedGrades(
  assignmentId: number,
  limit: number,
): Promise<Pick<SubmissionDoc, '_id' | 'grade'>[]> {
  return SubmissionModel.find(
    // A paper graded again keeps points given, but nobody has looked at it since.
    { assignment_id: assignmentId, 'grade.reviewed_by': { $ne: null } },
    { grade: 1 },
  )
    .sort({ 'grade.reviewed_at': -1, _id: 1 })
    .limit(limit)
    .lean()
}

/** One changed meanwhile has another revision. */
export async function markGradesReleased(copied: { _id: number; grade: GradeOfSubmission }[]): Promise<void> {
  await SubmissionModel.bulkWrite(
    copied.map(({ _id, grade }) => ({
      updateOne: {
        filter: { _id, 'grade.id': grade.id, 'grade.revision': grade.revision },
        update: { $set: { 'grade.released': true } },
      },
    })),
    { ordered: false },
  )
}

export async function markGradesUnreleased(assignmentId: number): Promise<void> {
  await SubmissionModel.updateMany(
    { assignment_id: assignmentId, 'grade.released': true },
    { $set: { 'grade.released': false } },
  )
}

export const findUngraded = (ids: number[]): Promise<Pick<SubmissionDoc, '_id' | 'created_at'>[]> =>
  SubmissionModel.find({ _id: { $in: ids }, grade: null }, { created_at: 1 }).lean()

export const findReleasedSubmission = (assignmentId: number, submissionId: number): Promise<SubmissionDoc | null> =>
  SubmissionModel.findOne({ assignment_id: assignmentId, 'grade.released': true, _id: submissionId }).lean()

export async function markReleaseNotified(notified: { submissionId: number; key: string }[]): Promise<void> {
  if (notified.length === 0) return
  await SubmissionModel.bulkWrite(
    notified.map(({ submissionId, key }) => ({
      updateOne: { filter: { _id: submissionId }, update: { $set: { told_release: key } } },
    })),
    { ordered: false },
  )
}

/** Stored in the submission too, as lists filter by it. */
export async function setRegradeState(submission: SubmissionDoc, regrade: RegradeState): Promise<SubmissionDoc> {
  await SubmissionModel.updateOne({ _id: submission._id }, { $set: { regrade } })
  return { ...submission, regrade }
}
