import { recordAudit } from '../../audit/audit.service.ts'
import type { Actor } from '../../lib/http/handle.ts'
import { type AssignmentDoc, AssignmentModel } from '../../records/assignments/assignment.model.ts'
import { markScoresChanged } from '../../records/lti/mark-scores-changed.ts'
import { requireAssignment } from '../assignments/assignment.service.ts'
import { releaseAll, withdrawAll } from './release.service.ts'

/** Shows the assignment and releases the grades standing now; once more, to release those made since. */
export async function publish(assignment: AssignmentDoc, actor: Actor, now: Date): Promise<AssignmentDoc> {
  await releaseAll(assignment, now)
  const published_at = assignment.published_at ?? now
  await AssignmentModel.updateOne(
    { _id: assignment._id },
    { $set: { status: 'published', published_at, clear_lms_scores: false, updated_at: now } },
  )
  await recordAudit(actor, 'assignment.published', { assignment_id: assignment._id }, now)
  await markScoresChanged(assignment._id)
  return requireAssignment(assignment._id)
}

/** Hides the assignment first, then takes the released grades back; what an LMS has of them goes on request alone. */
export async function unpublish(
  assignment: AssignmentDoc,
  actor: Actor,
  now: Date,
  { clearLmsScores = false }: { clearLmsScores?: boolean } = {},
): Promise<AssignmentDoc> {
  await AssignmentModel.updateOne(
    { _id: assignment._id },
    { $set: { status: 'draft', published_at: null, clear_lms_scores: clearLmsScores, updated_at: now } },
  )
  await withdrawAll(assignment)
  await recordAudit(actor, 'assignment.unpublished', { assignment_id: assignment._id }, now, {
    after: clearLmsScores ? { clear_lms_scores: true } : null,
  })
  await markScoresChanged(assignment._id)
  return requireAssignment(assignment._id)
}
