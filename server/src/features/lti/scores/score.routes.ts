import {
  checkLmsScores,
  detachLmsLink,
  getLmsScores,
  listLmsScores,
  sendLmsScores,
} from '@assay/shared/lti/lti-scores.ts'
import { Router } from 'express'
import { recordAudit } from '../../../audit/audit.service.ts'
import { handle } from '../../../lib/http/handle.ts'
import type { Services } from '../../../services.ts'
import { requireAssignmentFor } from '../../assignments/assignment.policy.ts'
import { detachLink } from './gone-links.ts'
import { checkScores, resendScores } from './resend-scores.ts'
import { presentScoreRows, presentScores } from './score.present.ts'

export function scoreRoutes({ clock }: Services): Router {
  const router = Router()

  handle(router, getLmsScores, async ({ params, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    return presentScores(assignment)
  })

  handle(router, listLmsScores, async ({ params, query, actor, setTotal }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const { rows, total } = await presentScoreRows(assignment, query)
    setTotal(total)
    return rows
  })

  handle(router, sendLmsScores, async ({ params, body, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const now = clock.now()
    const queued = await resendScores(
      assignment,
      { submissionIds: body?.submission_ids ?? null, changedToo: body?.changed_too ?? false },
      now,
    )
    if (queued > 0)
      await recordAudit(actor, 'lms_scores.sent_again', { assignment_id: assignment._id }, now, {
        after: { scores: queued },
      })
    return { queued, scores: await presentScores(assignment) }
  })

  handle(router, checkLmsScores, async ({ params, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const queued = await checkScores(assignment, clock.now())
    return { queued, scores: await presentScores(assignment) }
  })

  handle(router, detachLmsLink, async ({ params, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const now = clock.now()
    const { _id: link, title } = await detachLink(assignment, params.linkId, now)
    await recordAudit(actor, 'lms_link.detached', { assignment_id: assignment._id }, now, { after: { link, title } })
    return presentScores(assignment)
  })

  return router
}
