import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { exportGradeHistory, getGradeHistory } from '@assay/shared/grade-history.ts'
import { Router } from 'express'
import { handle, RawReply } from '../../lib/http/handle.ts'
import type { Services } from '../../services.ts'
import { requireAssignmentFor } from '../assignments/assignment.policy.ts'
import { requireSubmission } from '../submissions/submission.service.ts'
import { composeGradeHistory, gradeHistoryLines } from './grade-history.ts'

export function gradeHistoryRoutes(services: Services): Router {
  const router = Router()

  handle(router, getGradeHistory, async ({ params, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    return composeGradeHistory(await requireSubmission(params), assignment, services)
  })

  handle(router, exportGradeHistory, async ({ params, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    return new RawReply(async (response) => {
      response.type('application/x-ndjson; charset=utf-8')
      response.attachment(`assignment_${assignment._id}_history.jsonl`)
      await pipeline(Readable.from(gradeHistoryLines(assignment, services)), response)
    })
  })

  return router
}
