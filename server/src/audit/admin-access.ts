import type { Actor } from '../lib/http/handle.ts'
import type { CourseDoc } from '../records/courses/course.model.ts'
import { AuditModel, recordAudit } from './audit.service.ts'

/** Recorded once in each session, and only for another person's. */
async function recordAdminAccess(actor: Actor, what: 'course' | 'assignment', id: number, now: Date): Promise<void> {
  const [action, field] = [`${what}.opened_by_admin`, `${what}_id`]
  const known = { session_id: actor.sessionId, action, [`subject.${field}`]: id }
  if (!(await AuditModel.exists(known))) await recordAudit(actor, action, { [field]: id }, now)
}

export async function recordCourseAccess(actor: Actor, course: CourseDoc, now: Date): Promise<void> {
  if (actor.role !== 'admin' || course.instructor_ids.includes(actor.id)) return
  await recordAdminAccess(actor, 'course', course._id, now)
}

export async function recordAssignmentAccess(
  actor: Actor,
  assignment: { _id: number; created_by: number },
  now: Date,
): Promise<void> {
  if (actor.role !== 'admin' || assignment.created_by === actor.id) return
  await recordAdminAccess(actor, 'assignment', assignment._id, now)
}
