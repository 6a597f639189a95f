import { recordAudit } from '../../audit/audit.service.ts'
import type { Actor } from '../../lib/http/handle.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import { markScoresChanged } from '../../records/lti/mark-scores-changed.ts'
import { markPublished, markUnpublished, requireAssignment } from '../assignments/assignment.service.ts'
import { releaseAll, withdrawAll } from './release.service.ts'

/** Run again, it releases the grades made since. */
export async function publish(assignment: AssignmentDoc, actor: Actor, now: Date): Promise<AssignmentDoc> {
  await releaseAll(assignment, now)
  await markPublished(assignment, now)
  // Decisions made in between saw no published assignment.
  await releaseAll(assignment, now)
  await recordAudit(actor, 'assignment.published', { assignment_id: assignment._id }, now)
  await markScoresChanged(assignment._id)
  return requireAssignment(assignment._id)
}

/** Hides first. Scores sent to an LMS are removed only on request. */
export async function unpublish(
  assignment: AssignmentDoc,
  actor: Actor,
  now: Date,
  { clearLmsScores = false }: { clearLmsScores?: boolean } = {},
): Promise<AssignmentDoc> {
  await markUnpublished(assignment, clearLmsScores, now)
  await withdrawAll(assignment)
  await recordAudit(actor, 'assignment.unpublished', { assignment_id: assignment._id }, now, {
    after: clearLmsScores ? { clear_lms_scores: true } : null,
  })
  await markScoresChanged(assignment._id)
  return requireAssignment(assignment._id)
}
