import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import { type SubmissionDoc, SubmissionModel } from '../../records/submissions/submission.model.ts'
import { handInWindowOf } from '../assignments/assignment-dates.ts'

export type PaperTimes = Pick<SubmissionDoc, '_id' | 'student_id' | 'created_at' | 'handed_in_by' | 'late_waived'>

export async function findPaperTimes(ids: number[]): Promise<Map<number, PaperTimes>> {
  const fields = { student_id: 1, created_at: 1, handed_in_by: 1, late_waived: 1 } as const
  const found = await SubmissionModel.find({ _id: { $in: ids } }, fields).lean()
  return new Map(found.map((paper) => [paper._id, paper]))
}

/** Null when it is so already, or the paper has been replaced. */
export function storeLateWaiver(
  { _id, file }: Pick<SubmissionDoc, '_id' | 'file'>,
  waived: boolean,
  now: Date,
): Promise<SubmissionDoc | null> {
  return SubmissionModel.findOneAndUpdate(
    { _id, 'file.hash': file.hash, late_waived: waived ? { $ne: true } : true },
    waived
      ? { $set: { late_waived: true, updated_at: now } }
      : { $unset: { late_waived: '' }, $set: { updated_at: now } },
  ).lean()
}

/** More time removes a late mark. */
export async function recomputeLateness(assignment: AssignmentDoc, studentId?: number): Promise<void> {
  const own = { assignment_id: assignment._id, handed_in_by: 'student' as const }
  const filter = studentId === undefined ? own : { ...own, student_id: studentId }
  const papers = await SubmissionModel.find(filter, { student_id: 1, created_at: 1, late: 1 }).lean()
  const wrong = papers.filter((paper) => (paper.late ?? false) !== isLate(paper))
  for (const late of [true, false]) {
    const ids = wrong.filter((paper) => isLate(paper) === late).map(({ _id }) => _id)
    if (ids.length > 0) await SubmissionModel.updateMany({ _id: { $in: ids } }, { $set: { late } })
  }

  function isLate({ student_id, created_at }: { student_id: number | null; created_at: Date }): boolean {
    return handInWindowOf(assignment, student_id, created_at).late
  }
}
