import type { Permission } from '../../lib/http/allow.ts'
import { AppError } from '../../lib/http/app-error.ts'
import type { Actor } from '../../lib/http/handle.ts'
import type { CourseDoc } from '../../records/courses/course.model.ts'
import { reachableCourses } from '../../records/lti/reachable-courses.ts'
import { isEnrolled } from './enrollment-queries.ts'

/** For what belongs to no course of the LMS. @throws {AppError} for a session that reaches only the LMS's courses */
export function requireUnlimited({ lmsIssuer }: Actor): void {
  if (!lmsIssuer) return
  throw new AppError(
    'auth_insufficient_permissions',
    'This page was opened from an LMS and reaches only its courses. Sign in with your Assay password to do this.',
  )
}

export function canCreateCourse(actor: Actor): Permission {
  return actor.role === 'student' ? 'forbidden' : 'yes'
}

/** To change the course, its assignments and grades. */
export async function canTeach(actor: Actor, course: CourseDoc): Promise<Permission> {
  if (actor.role === 'admin') return 'yes'
  if (actor.role !== 'instructor' || !course.instructor_ids.includes(actor.id)) return 'hidden'
  return (await reachableCourses(actor, [course._id])).length > 0 ? 'yes' : 'hidden'
}

export async function canOpenCourse(actor: Actor, course: CourseDoc): Promise<Permission> {
  if (actor.role !== 'student') return canTeach(actor, course)
  return (await isEnrolled(actor, course._id)) ? 'yes' : 'hidden'
}
