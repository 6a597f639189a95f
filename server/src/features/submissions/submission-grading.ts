import { type SubmissionDoc, SubmissionModel } from '../../records/submissions/submission.model.ts'

const inProgress = ['queued', 'reading', 'grading'] as const

/** Null once it has left the run, as when handed in again. */
export const findSubmissionInRun = (id: number, runId: number): Promise<SubmissionDoc | null> =>
  SubmissionModel.findOne({ _id: id, run_id: runId }).lean()

export const findSubmissionFile = (id: number): Promise<Pick<SubmissionDoc, '_id' | 'file'> | null> =>
  SubmissionModel.findById(id, { file: 1 }).lean()

export type SubmissionIdentity = Pick<
  SubmissionDoc,
  'assignment_id' | 'student_id' | 'partner_ids' | 'group_id' | 'student_identifier' | 'course_id'
>

export function findSubmissionIdentity(id: number): Promise<SubmissionIdentity | null> {
  const whose = { student_id: 1, partner_ids: 1, group_id: 1, student_identifier: 1 } as const
  return SubmissionModel.findById(id, { ...whose, assignment_id: 1, course_id: 1 }).lean()
}

export const hasGrade = async (submissionId: number): Promise<boolean> =>
  (await SubmissionModel.exists({ _id: submissionId, grade: { $ne: null } })) !== null

export const countHandwritten = (ids: number[]): Promise<number> =>
  SubmissionModel.countDocuments({ _id: { $in: ids }, 'file.handwritten': true })

export function streamSubmissionFiles(ids: number[]): AsyncIterable<Pick<SubmissionDoc, 'file'>> {
  return SubmissionModel.find({ _id: { $in: ids } }, { file: 1 })
    .lean()
    .cursor()
}

export async function countGrades(
  assignment_id: number,
  outdatedVersions: number[],
): Promise<{ graded: number; outdated: number }> {
  const [graded, outdated] = await Promise.all([
    SubmissionModel.countDocuments({ assignment_id, 'grade.released': { $in: [true, false] } }),
    SubmissionModel.countDocuments({ assignment_id, 'grade.rubric_version': { $in: outdatedVersions } }),
  ])
  return { graded, outdated }
}

export type GradingSelection = 'all' | 'ungraded' | 'unreviewed' | { gradedByVersions: number[] }

export async function selectForGrading(
  assignment_id: number,
  selection: GradingSelection,
  among: number[] | undefined,
): Promise<number[]> {
  const found = await SubmissionModel.find(
    { assignment_id, ...(among ? { _id: { $in: among } } : {}), ...selectionFilter(selection) },
    { _id: 1 },
  )
    .sort({ _id: 1 })
    .lean()
  return found.map((submission) => submission._id)
}

function selectionFilter(selection: GradingSelection) {
  if (selection === 'all') return {}
  if (selection === 'ungraded') return { status: { $ne: 'graded' as const } }
  if (selection === 'unreviewed') return { grade: { $ne: null }, 'grade.reviewed_at': null }
  return { 'grade.rubric_version': { $in: selection.gradedByVersions } }
}

export async function markQueued(ids: number[], run: { _id: number; assignment_id: number }, updated_at: Date) {
  await SubmissionModel.updateMany(
    { _id: { $in: ids }, assignment_id: run.assignment_id, run_id: { $ne: run._id } },
    { $set: { status: 'queued', run_id: run._id, failure: null, updated_at } },
  )
}

/** Null when it has left the run, which another process may have stopped. */
export function updateInRun(
  id: number,
  runId: number,
  change: Partial<Pick<SubmissionDoc, 'status' | 'failure' | 'page_count' | 'turned_pages'>>,
  updated_at: Date,
): Promise<SubmissionDoc | null> {
  return SubmissionModel.findOneAndUpdate(
    { _id: id, run_id: runId, status: { $in: [...inProgress, 'failed'] } },
    { $set: { ...change, updated_at } },
  ).lean()
}

export async function reopenSuggestions(run_id: number, class_key: string, updated_at: Date): Promise<void> {
  await SubmissionModel.updateMany(
    { run_id, status: 'graded', 'grade.class_key': class_key, 'grade.reviewed_at': null },
    { $set: { status: 'grading', updated_at } },
  )
}

export async function releaseFromRun(ids: number[], run_id: number, updated_at: Date): Promise<SubmissionDoc[]> {
  const mine = { _id: { $in: ids }, run_id }
  const unfinished = { ...mine, status: { $in: inProgress } }
  await SubmissionModel.updateMany({ ...unfinished, grade: null }, { $set: { status: 'uploaded', updated_at } })
  await SubmissionModel.updateMany({ ...unfinished, grade: { $ne: null } }, { $set: { status: 'graded', updated_at } })
  return SubmissionModel.find(mine).lean()
}
