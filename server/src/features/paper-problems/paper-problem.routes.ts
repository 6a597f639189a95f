import { splitPaper } from '@assay/shared/submissions.ts'
import { Router } from 'express'
import { recordAudit } from '../../audit/audit.service.ts'
import { handle } from '../../lib/http/handle.ts'
import type { Services } from '../../services.ts'
import { requireAssignmentFor } from '../assignments/assignment.policy.ts'
import { notifyListChanged } from '../submissions/submission.events.ts'
import { presentRows } from '../submissions/submission.present.ts'
import { requireSubmission } from '../submissions/submission.service.ts'
import { splitPaperInTwo } from './split-paper.ts'

export function paperProblemRoutes(services: Services): Router {
  const { clock } = services
  const router = Router()

  handle(router, splitPaper, async ({ params, body, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const submission = await requireSubmission(params)
    const { first, second } = await splitPaperInTwo(assignment, submission, body.second_begins_on, actor, services)
    const subject = { assignment_id: assignment._id, submission_id: first._id }
    const after = { second_submission_id: second._id, second_begins_on: body.second_begins_on }
    await recordAudit(actor, 'submission.split', subject, clock.now(), { after })
    notifyListChanged(assignment._id, services)
    const rows = await presentRows(assignment, [first, second], services)
    if (!rows[0] || !rows[1]) throw new Error('two in, two out')
    return { first: rows[0], second: rows[1] }
  })

  return router
}
