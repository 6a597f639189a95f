import { publishAssignment, unpublishAssignment } from '@assay/shared/assignments.ts'
import { Router } from 'express'
import { handle } from '../../lib/http/handle.ts'
import type { Services } from '../../services.ts'
import { requestAnnouncement } from '../assignments/announcement.service.ts'
import { requireAssignmentFor } from '../assignments/assignment.policy.ts'
import { presentAssignment } from '../assignments/assignment.present.ts'
import type { AssignmentHooks } from '../assignments/assignment-hooks.ts'
import { queueAnnouncements } from '../reminders/announcement-job.ts'
import { queueReminders } from '../reminders/reminder-job.ts'
import { publish, unpublish } from './publish.ts'
import { notifyReleased } from './release-notification.ts'

export function publishRoutes(services: Services, hooks: AssignmentHooks): Router {
  const { clock } = services
  const router = Router()

  handle(router, publishAssignment, async ({ params, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    await requestAnnouncement(assignment)
    const published = await publish(assignment, actor, clock.now())
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

  return router
}
