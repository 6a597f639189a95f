import { recordAudit } from '../../audit/audit.service.ts'
import type { Actor } from '../../lib/http/handle.ts'
import { type AssignmentDoc, AssignmentModel } from '../../records/assignments/assignment.model.ts'
import { hidesNames } from '../anonymous-grading/present-student.ts'
import { requireAssignment } from './assignment.service.ts'
import type { AssignmentHooks } from './assignment-hooks.ts'

/**
 * Hides the names of an assignment's students from everyone who grades it, or shows them again. Both are audited, and each time names are
 * shown is kept with the assignment. What is so already stays as it is.
 */
export async function changeNamesHidden(
  assignment: AssignmentDoc,
  hide: boolean,
  actor: Actor,
  now: Date,
  { numberAllPapers }: Pick<AssignmentHooks, 'numberAllPapers'>,
): Promise<AssignmentDoc> {
  if (hidesNames(assignment) === hide) return assignment
  // Before names are hidden, so that no paper is ever shown without a label.
  if (hide) await numberAllPapers(assignment._id)
  const shown = { user_id: actor.id, at: now }
  const changed = await AssignmentModel.updateOne(
    { _id: assignment._id, 'anonymous.names_hidden': hide ? { $ne: true } : true },
    hide
      ? { $set: { 'anonymous.names_hidden': true, updated_at: now } }
      : { $set: { 'anonymous.names_hidden': false, updated_at: now }, $push: { 'anonymous.shown': shown } },
  )
  const after = await requireAssignment(assignment._id)
  // Somebody else did the same at the same moment.
  if (changed.matchedCount === 0) return after
  if (hide) await recordNamesHidden(after, actor, now)
  else
    await recordAudit(actor, 'names.shown', { assignment_id: after._id }, now, {
      after: { times_shown: after.anonymous?.shown?.length ?? 0 },
    })
  return after
}

export function recordNamesHidden({ _id }: Pick<AssignmentDoc, '_id'>, actor: Actor, now: Date): Promise<void> {
  return recordAudit(actor, 'names.hidden', { assignment_id: _id }, now)
}
