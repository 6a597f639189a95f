import type { UserDoc } from '../../records/people/user.model.ts'
import { SubmissionModel } from '../../records/submissions/submission.model.ts'
import { enrolledUsers } from '../courses/enrollment.service.ts'

/** Who is on the course and has nothing handed in, by themselves or by a teacher. */
export async function studentsWithoutPaper(assignmentId: number, courseId: number): Promise<UserDoc[]> {
  const [students, owners] = await Promise.all([
    enrolledUsers(courseId),
    SubmissionModel.distinct('student_id', { assignment_id: assignmentId }),
  ])
  const have = new Set(owners)
  return students.filter(({ _id }) => !have.has(_id))
}
