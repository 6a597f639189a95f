import { estimateRun, getRun, listRuns, processAssignment, retryRun, stopRun } from '@assay/shared/runs.ts'
import type { Router } from 'express'
import { handle } from '../../lib/http/handle.ts'
import type { Services } from '../../services.ts'
import { requireAssignmentFor } from '../assignments/assignment.service.ts'
import { estimateRunCost } from './estimate/run-estimate.ts'
import type { GradingPipeline } from './grading-pipeline.ts'
import { endRun, latestRuns, presentRun, requireRun, startRun } from './run.service.ts'
import { retryNow } from './steps/llm-wait.ts'

export function runRoutes(router: Router, services: Services, grading: GradingPipeline): void {
  handle(router, processAssignment, async ({ params, body, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const run = await startRun(assignment, body ?? {}, actor, services)
    await grading.start(run)
    return { message: 'Processing started successfully!', run_id: run._id, queued: run.planned.length }
  })

  handle(router, estimateRun, async ({ params, body, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    return estimateRunCost(assignment, body ?? {}, services)
  })

  handle(router, listRuns, async ({ params, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    return Promise.all((await latestRuns(assignment)).map((run) => presentRun(run, services)))
  })

  handle(router, getRun, async ({ params, actor }) => {
    await requireAssignmentFor(actor, params.assignmentId)
    return presentRun(await requireRun(params), services)
  })

  handle(router, stopRun, async ({ params, actor }) => {
    await requireAssignmentFor(actor, params.assignmentId)
    const run = await requireRun(params)
    await endRun(run, 'stopped', services)
    return presentRun(await requireRun(params), services)
  })

  handle(router, retryRun, async ({ params, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    return presentRun(await retryNow(await requireRun(params), assignment, services), services)
  })
}
