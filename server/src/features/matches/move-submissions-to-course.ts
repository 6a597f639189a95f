import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import { removeReleaseOwners } from '../grades/release.service.ts'
import { loadMatchingRoster } from '../submissions/matching/name-index.ts'
import { removeSubmissionOwners, setSubmissionsCourse } from '../submissions/submission-owners.ts'

/** Papers of students who are not in the new course become unassigned until matched again. Idempotent. */
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
