import type { QueryFilter } from 'mongoose'
import { type SubmissionDoc, SubmissionModel } from '../../records/submissions/submission.model.ts'

const filters = {
  all: {},
  released: { 'grade.released': true },
  unreleased: { 'grade.released': false },
  /** Belongs to no student, and no teacher has said that it should not. */
  unmatched: { student_id: null, student_set_by: null },
} satisfies Record<string, QueryFilter<SubmissionDoc>>

/** An assignment's submissions in the order of their ids, at most `size` at a time. */
export async function* submissionBatches(
  assignmentId: number,
  size: number,
  which: keyof typeof filters = 'all',
): AsyncGenerator<SubmissionDoc[]> {
  let after = 0
  for (;;) {
    const batch = await SubmissionModel.find({ assignment_id: assignmentId, ...filters[which], _id: { $gt: after } })
      .sort({ _id: 1 })
      .limit(size)
      .lean()
    const last = batch.at(-1)
    if (!last) return
    after = last._id
    yield batch
  }
}

/** An assignment's submissions that were changed at `since` or later, in the order of their changes, at most `size` at a time. */
export async function* submissionsChangedSince(
  assignmentId: number,
  since: Date,
  size: number,
): AsyncGenerator<SubmissionDoc[]> {
  let last: SubmissionDoc | undefined
  for (;;) {
    const later: QueryFilter<SubmissionDoc> = last
      ? { $or: [{ updated_at: { $gt: last.updated_at } }, { updated_at: last.updated_at, _id: { $gt: last._id } }] }
      : { updated_at: { $gte: since } }
    const batch = await SubmissionModel.find({ assignment_id: assignmentId, ...later })
      .sort({ updated_at: 1, _id: 1 })
      .limit(size)
      .lean()
    last = batch.at(-1)
    if (!last) return
    yield batch
  }
}
