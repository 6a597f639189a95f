import { publishAssignment, unpublishAssignment } from '@assay/shared/assignments.ts'
import type { Router } from 'express'
import { recordAudit } from '../../audit/audit.service.ts'
import { type Actor, handle } from '../../lib/http/handle.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import { markScoresChanged } from '../../records/lti/mark-scores-changed.ts'
import type { Services } from '../../services.ts'
import { type AssignmentHooks, presentAssignment } from '../assignments/assignment.present.ts'
import {
  markPublished,
  markUnpublished,
  requestAnnouncement,
  requireAssignment,
  requireAssignmentFor,
} from '../assignments/assignment.service.ts'
import { queueAnnouncements, queueReminders } from '../reminders/reminder-job.ts'
import { releaseAll, withdrawAll } from './release.service.ts'
import { notifyReleased } from './release-notification.ts'

export function publishRoutes(router: Router, services: Services, hooks: AssignmentHooks): void {
  const { clock } = services

  handle(router, publishAssignment, async ({ params, body, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    await requestAnnouncement(assignment)
    const published = await publish(
      assignment,
      actor,
      clock.now(),
      body?.reviewed_only ? 'unreleased_reviewed' : 'unreleased',
    )
    await queueAnnouncements(services, published)
    await queueReminders(services)
    await notifyReleased(published, null, services)
    return presentAssignment(published, clock.now(), hooks)
  })

  handle(router, unpublishAssignment, async ({ params, body, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const clearLmsScores = body?.clear_lms_scores ?? false
    const hidden = await unpublish(assignment, actor, clock.now(), { clearLmsScores })
    return presentAssignment(hidden, clock.now(), hooks)
  })
}

/** Run again, it releases the grades made since. */
export async function publish(
  assignment: AssignmentDoc,
  actor: Actor,
  now: Date,
  which: 'unreleased' | 'unreleased_reviewed' = 'unreleased',
): Promise<AssignmentDoc> {
  await releaseAll(assignment, now, which)
  await markPublished(assignment, now)
  // Decisions made in between saw no published assignment.
  await releaseAll(assignment, now, which)
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
