import type { QueryFilter } from 'mongoose'
import { type SubmissionDoc, SubmissionModel } from '../../records/submissions/submission.model.ts'
import { type AssignmentNames, hidesNames } from '../anonymity/hidden-names.ts'

const filters = {
  released: { 'grade.released': true },
  unreleased: { 'grade.released': false },
  unreleased_reviewed: { 'grade.released': false, 'grade.reviewed_at': { $ne: null } },
  graded: { grade: { $ne: null } },
  /** No teacher has said that it is nobody's. */
  unmatched: { student_id: null, student_set_by: null },
} satisfies Record<string, QueryFilter<SubmissionDoc>>

export const submissionBatches = (assignmentId: number, size: number, which: keyof typeof filters) =>
  batchesBy('_id', { assignment_id: assignmentId, ...filters[which] }, size)

/** By paper number while names are hidden, as ids follow the order of upload. */
export const submissionBatchesToShow = (assignment: AssignmentNames, size: number) =>
  batchesBy(hidesNames(assignment) ? 'paper_number' : '_id', { assignment_id: assignment._id }, size)

async function* batchesBy(
  field: '_id' | 'paper_number',
  among: QueryFilter<SubmissionDoc>,
  size: number,
): AsyncGenerator<SubmissionDoc[]> {
  for (let after = 0; ; ) {
    const batch = await SubmissionModel.find({ ...among, [field]: { $gt: after } })
      .sort({ [field]: 1 })
      .limit(size)
      .lean()
    const last = batch.at(-1)?.[field]
    if (last === undefined) return
    after = last
    yield batch
  }
}

export type GradeVersion = Pick<SubmissionDoc, '_id' | 'student_id' | 'updated_at'> & {
  grade: { id: number; revision: number } | null
}

export function gradeVersionsSince(assignmentId: number, since: Date): Promise<GradeVersion[]> {
  return SubmissionModel.find(
    { assignment_id: assignmentId, updated_at: { $gte: since } },
    { student_id: 1, updated_at: 1, 'grade.id': 1, 'grade.revision': 1 },
  ).lean<GradeVersion[]>()
}

export function findSubmissions(ids: number[]): Promise<SubmissionDoc[]> {
  return SubmissionModel.find({ _id: { $in: ids } })
    .sort({ _id: 1 })
    .lean()
}
