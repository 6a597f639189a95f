import { recordAssignmentAccess, recordCourseAccess } from '../../audit/admin-access.ts'
import { systemClock } from '../../lib/clock.ts'
import { allow, type Permission } from '../../lib/http/allow.ts'
import type { Actor } from '../../lib/http/handle.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import { canTeach, requireCourse } from '../courses/course.service.ts'
import { requireAssignment } from './assignment.service.ts'

/** Every request about an assignment asks this, so an administrator's access is audited here too. */
export async function canManageAssignment(actor: Actor, assignment: AssignmentDoc): Promise<Permission> {
  if (assignment.course_id !== null) {
    const course = await requireCourse(assignment.course_id)
    await recordCourseAccess(actor, course, systemClock.now())
    return canTeach(actor, course)
  }
  await recordAssignmentAccess(actor, assignment, systemClock.now())
  if (actor.role === 'admin') return 'yes'
  return actor.role === 'instructor' && assignment.created_by === actor.id && !actor.lmsIssuer ? 'yes' : 'hidden'
}

export async function requireAssignmentFor(actor: Actor, assignmentId: number): Promise<AssignmentDoc> {
  const assignment = await requireAssignment(assignmentId)
  allow(await canManageAssignment(actor, assignment))
  return assignment
}
