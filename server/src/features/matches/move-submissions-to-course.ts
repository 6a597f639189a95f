import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import { withInvalidation } from '../../records/grading/analytics-invalidation.ts'
import { ReleaseModel } from '../../records/grading/grade.model.ts'
import { SubmissionModel } from '../../records/submissions/submission.model.ts'
import { loadMatchingRoster } from '../submissions/matching/matching-roster.ts'

/**
 * Takes an assignment's papers along to another course, or to none. Whoever is not on that course has no paper there: theirs
 * belong to no student until somebody says whose they are. Run twice, it comes to the same.
 */
export async function moveSubmissionsToCourse(
  assignment: Pick<AssignmentDoc, '_id'>,
  courseId: number | null,
): Promise<void> {
  const mine = { assignment_id: assignment._id }
  await SubmissionModel.updateMany(mine, { $set: { course_id: courseId } })
  const roster = courseId === null ? [] : await loadMatchingRoster(courseId)
  const strangers = { ...mine, student_id: { $nin: [null, ...roster.map(({ _id }) => _id)] } }
  // What a student handed in is found by whose it is; nobody's, it must not stand in the way of their next paper.
  await SubmissionModel.updateMany({ ...strangers, handed_in_by: 'student' }, { $unset: { upload_key: '' } })
  await SubmissionModel.updateMany(strangers, { $set: { student_id: null } })
  await withInvalidation([`assignment/${assignment._id}`], () =>
    ReleaseModel.updateMany(strangers, { $set: { student_id: null } }),
  )
}
