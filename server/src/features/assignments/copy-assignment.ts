import { withoutDoubtfulResults } from '@assay/shared/rules/rubric-problems.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { nextId } from '../../lib/database/database.ts'
import type { Actor } from '../../lib/http/handle.ts'
import { type AssignmentDoc, AssignmentModel } from '../../records/assignments/assignment.model.ts'
import { timeZoneOf } from '../courses/course.service.ts'

export async function copyAssignment(
  from: AssignmentDoc,
  courseId: number,
  actor: Actor,
  now: Date,
): Promise<AssignmentDoc> {
  const { title, blank, key, rubric, late_rule = 'accept' } = from
  const copy: AssignmentDoc = {
    _id: await nextId('assignments'),
    title,
    course_id: courseId,
    created_by: actor.id,
    status: 'draft',
    published_at: null,
    time_zone: await timeZoneOf(courseId),
    late_rule,
    blank,
    key,
    rubric: rubric && { ...rubric, problems: withoutDoubtfulResults(rubric.problems) },
    rubric_version: rubric ? 1 : 0,
    ...(rubric ? { rubric_made: { by: 'copy', user_id: null, name: title, note: '', at: now } } : {}),
    active_run_id: null,
    created_at: now,
    updated_at: now,
  }
  await AssignmentModel.create(copy)
  await recordAudit(actor, 'assignment.copied', { assignment_id: copy._id }, now, {
    after: { from: from._id },
  })
  return copy
}
