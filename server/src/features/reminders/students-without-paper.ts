import type { UserDoc } from '../../records/people/user.model.ts'
import { enrolledUsers } from '../courses/enrollment.service.ts'
import { studentIdsWithSubmission } from '../submissions/submission-queries.ts'

/** Enrolled students without a paper, handed in by themselves or uploaded by a teacher. */
export async function studentsWithoutPaper(assignmentId: number, courseId: number): Promise<UserDoc[]> {
  const [students, owners] = await Promise.all([enrolledUsers(courseId), studentIdsWithSubmission(assignmentId)])
  return students.filter(({ _id }) => !owners.has(_id))
}
