import { dismissSimilarPairs, getSimilarity, setSimilarity } from '@assay/shared/similarity.ts'
import type { Router } from 'express'
import { handle } from '../../lib/http/handle.ts'
import type { Services } from '../../services.ts'
import { requireAssignmentFor } from '../assignments/assignment.service.ts'
import { findReport, presentReport, queueComparison, setDismissed, setEnabled } from './similarity.service.ts'

export function similarityRoutes(router: Router, services: Services): void {
  const { clock } = services

  handle(router, getSimilarity, async ({ params, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    return presentReport(assignment, await findReport(assignment._id), services)
  })

  handle(router, setSimilarity, async ({ params, body, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const report = await setEnabled(assignment, body.enabled, actor, clock.now())
    if (body.enabled) await queueComparison(assignment._id, services)
    return presentReport(assignment, report, services)
  })

  handle(router, dismissSimilarPairs, async ({ params, body, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    await setDismissed(assignment, body.pair_ids, body.dismissed, actor, clock.now())
    return presentReport(assignment, await findReport(assignment._id), services)
  })
}
