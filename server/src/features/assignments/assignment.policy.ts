import { recordAssignmentAccess, recordCourseAccess } from '../../audit/admin-access.ts'
import { systemClock } from '../../lib/clock.ts'
import type { Permission } from '../../lib/http/allow.ts'
import type { Actor } from '../../lib/http/handle.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import { canTeach } from '../courses/course.policy.ts'
import { requireCourse } from '../courses/course.service.ts'

/**
 * See and change an assignment, its submissions and grades: who teaches its course, or made it where there is none.
 * Everything about an assignment passes here, so an administrator's look into it is kept in the audit log here too.
 */
export async function canManageAssignment(actor: Actor, assignment: AssignmentDoc): Promise<Permission> {
  if (assignment.course_id !== null) {
    const course = await requireCourse(assignment.course_id)
    await recordCourseAccess(actor, course, systemClock.now())
    return canTeach(actor, course)
  }
  await recordAssignmentAccess(actor, assignment, systemClock.now())
  if (actor.role === 'admin') return 'yes'
  return actor.role === 'instructor' && assignment.created_by === actor.id ? 'yes' : 'hidden'
}
