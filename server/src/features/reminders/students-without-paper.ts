import { enrolledUsers } from '../courses/enrollment.service.ts'
import { SubmissionModel } from '../submissions/submission.model.ts'
import type { UserDoc } from '../users/user.model.ts'

/** Who is on the course and has nothing handed in, by themselves or by a teacher. */
export async function studentsWithoutPaper(assignmentId: number, courseId: number): Promise<UserDoc[]> {
  const [students, owners] = await Promise.all([
    enrolledUsers(courseId),
    SubmissionModel.distinct('student_id', { assignment_id: assignmentId }),
  ])
  const have = new Set(owners)
  return students.filter(({ _id }) => !have.has(_id))
}
