import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import { removeReleaseOwners } from '../grades/release.service.ts'
import { loadMatchingRoster } from '../submissions/matching/matching-roster.ts'
import { removeSubmissionOwners, setSubmissionsCourse } from '../submissions/submission-owners.ts'

/**
 * Moves an assignment's papers to another course, or to none. Papers of students who are not on that course belong to nobody
 * until they are matched again. Safe to run twice.
 */
export async function moveSubmissionsToCourse(
  { _id }: Pick<AssignmentDoc, '_id'>,
  courseId: number | null,
): Promise<void> {
  await setSubmissionsCourse(_id, courseId)
  const roster = courseId === null ? [] : await loadMatchingRoster(courseId)
  const studentIds = roster.map((student) => student._id)
  await removeSubmissionOwners(_id, studentIds)
  await removeReleaseOwners(_id, studentIds)
}
