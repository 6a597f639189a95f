import type { Permission } from '../../lib/allow.ts'
import type { Actor } from '../../lib/handle.ts'
import { canTeach } from '../courses/course.policy.ts'
import { requireCourse } from '../courses/course.service.ts'
import type { AssignmentDoc } from './assignment.model.ts'

/** See and change an assignment, its submissions and grades: who teaches its course, or made it where there is none. */
export async function canManageAssignment(actor: Actor, assignment: AssignmentDoc): Promise<Permission> {
  if (actor.role === 'admin') return 'yes'
  if (assignment.course_id !== null) return canTeach(actor, await requireCourse(assignment.course_id))
  return actor.role === 'instructor' && assignment.created_by === actor.id ? 'yes' : 'hidden'
}
