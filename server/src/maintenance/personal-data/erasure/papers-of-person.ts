import type { QueryFilter } from 'mongoose'
import { isLaterRelease } from '../../../features/lti/scores/score-ledger.ts'
import { AssignmentModel } from '../../../records/assignments/assignment.model.ts'
import { type ReleaseDoc, ReleaseModel } from '../../../records/grading/grade.model.ts'
import { type SubmissionDoc, SubmissionModel } from '../../../records/submissions/submission.model.ts'

const theirs = (ids: number[]): QueryFilter<SubmissionDoc> => ({
  $or: [{ student_id: { $in: ids } }, { student_id: null, handed_in_by: 'student', uploaded_by: { $in: ids } }],
})

/** Assigned to them, or unassigned and handed in by them. */
export const papersOf = (ids: number[]): Promise<SubmissionDoc[]> =>
  SubmissionModel.find(theirs(ids)).sort({ _id: 1 }).lean()

export const countPapersOf = (ids: number[]): Promise<number> => SubmissionModel.countDocuments(theirs(ids))

/** Of two papers for an assignment the one released last. */
export async function releasesOf(ids: number[]): Promise<ReleaseDoc[]> {
  const found = await ReleaseModel.find({ student_id: { $in: ids }, points: { $ne: null } }).lean()
  const published: number[] = await AssignmentModel.distinct('_id', {
    _id: { $in: found.map(({ assignment_id }) => assignment_id) },
    status: 'published',
  })
  const counting = new Map<number, ReleaseDoc>()
  for (const release of found) {
    const { assignment_id } = release
    if (published.includes(assignment_id) && isLaterRelease(release, counting.get(assignment_id)))
      counting.set(assignment_id, release)
  }
  return [...counting.values()]
}
