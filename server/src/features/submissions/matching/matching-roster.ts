import { AppError } from '../../../lib/http/app-error.ts'
import type { UserDoc } from '../../../records/people/user.model.ts'
import { findEnrollments } from '../../courses/enrollment-queries.ts'
import { usersById } from '../../users/user.service.ts'

export interface RosterStudent extends Pick<UserDoc, '_id' | 'username' | 'full_name' | 'email'> {
  /** Verified by a link, used by an instructor's invitation, or provided by the course's LMS. */
  email_verified: boolean
  /** By an instructor or an LMS. False for students who joined by a code: they chose their own name and number. */
  added_by_staff: boolean
  numbers: string[]
}

export async function loadMatchingRoster(courseId: number): Promise<RosterStudent[]> {
  const enrollments = await findEnrollments(courseId)
  const users = await usersById(enrollments.map(({ user_id }) => user_id))
  return enrollments.flatMap(({ user_id, added_by, external_user_id, sis_user_id }) => {
    const user = users.get(user_id)
    if (!user) return []
    const { _id, username, full_name, email } = user
    return {
      _id,
      username,
      full_name,
      email,
      email_verified:
        user.email_verified_at != null || user.account === 'invited' || (user.from_lms === true && added_by === 'lms'),
      added_by_staff: added_by !== 'code',
      numbers: [...new Set([user.student_number, external_user_id, sis_user_id])].filter((one) => one != null),
    }
  })
}

/** Nobody outside the course, whose name it would show. @param loc where the request names the student */
export async function requireRosterStudent(
  courseId: number | null,
  studentId: number,
  loc = ['body', 'student_id'],
): Promise<RosterStudent> {
  const refused = (msg: string) =>
    new AppError('validation_failed', undefined, { details: [{ loc, msg, type: 'not_enrolled' }] })
  if (courseId === null) throw refused('This assignment has no course, so there are no students to choose from.')
  const student = (await loadMatchingRoster(courseId)).find(({ _id }) => _id === studentId)
  if (!student) throw refused('This student is not enrolled in the course.')
  return student
}
