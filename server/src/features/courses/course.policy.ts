import type { Permission } from '../../lib/http/allow.ts'
import type { Actor } from '../../lib/http/handle.ts'
import type { CourseDoc } from '../../records/courses/course.model.ts'
import { isEnrolled } from './enrollment-queries.ts'

export function canCreateCourse(actor: Actor): Permission {
  return actor.role === 'student' ? 'forbidden' : 'yes'
}

/** To change the course, its assignments and grades. */
export function canTeach(actor: Actor, course: CourseDoc): Permission {
  if (actor.role === 'admin') return 'yes'
  if (actor.role === 'instructor' && course.instructor_ids.includes(actor.id)) return 'yes'
  return 'hidden'
}

export async function canOpenCourse(actor: Actor, course: CourseDoc): Promise<Permission> {
  if (actor.role !== 'student') return canTeach(actor, course)
  return (await isEnrolled(actor.id, course._id)) ? 'yes' : 'hidden'
}
