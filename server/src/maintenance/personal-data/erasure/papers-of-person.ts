import { AssignmentModel } from '../../../records/assignments/assignment.model.ts'
import { type ReleaseDoc, ReleaseModel } from '../../../records/grading/grade.model.ts'
import { type SubmissionDoc, SubmissionModel } from '../../../records/submissions/submission.model.ts'

/** Papers of a person: those assigned to them, and those they handed in that are nobody’s now. */
export const papersOf = (ids: number[]): Promise<SubmissionDoc[]> =>
  SubmissionModel.find({
    $or: [{ student_id: { $in: ids } }, { student_id: null, handed_in_by: 'student', uploaded_by: { $in: ids } }],
  })
    .sort({ _id: 1 })
    .lean()

/** Their scores that they can see now. */
export async function releasesOf(ids: number[]): Promise<ReleaseDoc[]> {
  const found = await ReleaseModel.find({ student_id: { $in: ids }, final_score: { $ne: null } }).lean()
  const published: number[] = await AssignmentModel.distinct('_id', {
    _id: { $in: found.map(({ assignment_id }) => assignment_id) },
    status: 'published',
  })
  return found.filter(({ assignment_id }) => published.includes(assignment_id))
}
