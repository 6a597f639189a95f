import { AuditModel } from '../../audit/audit.service.ts'
import { AppError, notFound } from '../../lib/http/app-error.ts'
import type { Actor } from '../../lib/http/handle.ts'
import { type CourseDoc, EnrollmentModel } from '../../records/courses/course.model.ts'
import type { UserDoc } from '../../records/people/user.model.ts'
import { requireUser } from '../users/user.service.ts'
import { taughtCourseIds } from './course.service.ts'
import { enrollmentId } from './enrollment-queries.ts'

/** Enrolled in one of the courses now, or by somebody before. A pending enrolment is none: it shows nothing of the account. */
async function isOrWasEnrolled(userId: number, courseIds: number[]): Promise<boolean> {
  const [now, before] = await Promise.all([
    EnrollmentModel.exists({ _id: { $in: courseIds.map((courseId) => enrollmentId(courseId, userId)) } }),
    AuditModel.exists({
      action: 'student.enrolled',
      'subject.user_id': userId,
      'subject.course_id': { $in: courseIds },
    }),
  ])
  return now !== null || before !== null
}

/**
 * The student to enrol by ID. The reply names the account's owner, and IDs are counted, so a teacher may name only people of
 * their own courses. All others are refused alike, whether or not there is such an account. An administrator may name anybody.
 * @throws {AppError} `resource_not_found`; in an LMS's course, whose people come from the LMS, `auth_insufficient_permissions`
 */
export async function requireKnownStudent(actor: Actor, userId: number): Promise<UserDoc> {
  if (actor.launchId) {
    throw new AppError(
      'auth_insufficient_permissions',
      'People of an LMS’s course come from the LMS. Add anybody else by email in the roster.',
    )
  }
  if (actor.role === 'admin') return requireUser(userId)
  const isKnown = await isOrWasEnrolled(userId, await taughtCourseIds(actor))
  const user = isKnown ? await requireUser(userId) : null
  if (user?.role !== 'student')
    throw notFound('No student of your courses has this user ID. Add them by email in the roster.')
  return user
}

/**
 * A student without an address is given one by whoever teaches the course whose roster they are on, and can then sign in: not to another
 * course's work.
 * @throws {AppError} `conflict`
 */
export function assertNotOnOtherRoster({ roster_course_id }: UserDoc, course: CourseDoc): void {
  if (roster_course_id == null || roster_course_id === course._id) return
  throw new AppError(
    'conflict',
    'This student has no email address and is on another course’s roster. Add them to this one by name and number, with a CSV file.',
  )
}
