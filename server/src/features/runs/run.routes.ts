import { estimateRun, getRun, listRuns, processAssignment, stopRun, tryRunNow } from '@assay/shared/runs.ts'
import { Router } from 'express'
import { allow } from '../../lib/http/allow.ts'
import { handle } from '../../lib/http/handle.ts'
import type { Services } from '../../services.ts'
import { canManageAssignment } from '../assignments/assignment.policy.ts'
import { requireAssignment } from '../assignments/assignment.service.ts'
import { estimateRunCost } from './estimate/run-estimate.ts'
import type { GradingPipeline } from './grading-pipeline.ts'
import { presentRun } from './run.present.ts'
import { endRun, latestRuns, requireRun, startRun } from './run.service.ts'
import { retryNow } from './steps/llm-wait.ts'

export function runRoutes(services: Services, grading: GradingPipeline): Router {
  const router = Router()

  handle(router, processAssignment, async ({ params, body, actor }) => {
    const assignment = await requireAssignment(params.assignmentId)
    allow(await canManageAssignment(actor, assignment))
    const run = await startRun(assignment, body ?? {}, actor, services)
    await grading.begin(run)
    return { message: 'Processing started successfully!', run_id: run._id, queued: run.planned.length }
  })

  handle(router, estimateRun, async ({ params, body, actor }) => {
    const assignment = await requireAssignment(params.assignmentId)
    allow(await canManageAssignment(actor, assignment))
    return estimateRunCost(assignment, body ?? {}, services)
  })

  handle(router, listRuns, async ({ params, actor }) => {
    const assignment = await requireAssignment(params.assignmentId)
    allow(await canManageAssignment(actor, assignment))
    const runs = await latestRuns(assignment)
    return Promise.all(runs.map((run) => presentRun(run, services)))
  })

  handle(router, getRun, async ({ params, actor }) => {
    const assignment = await requireAssignment(params.assignmentId)
    allow(await canManageAssignment(actor, assignment))
    return presentRun(await requireRun(params), services)
  })

  handle(router, stopRun, async ({ params, actor }) => {
    const assignment = await requireAssignment(params.assignmentId)
    allow(await canManageAssignment(actor, assignment))
    const run = await requireRun(params)
    await endRun(run, 'stopped', services)
    return presentRun(await requireRun(params), services)
  })

  handle(router, tryRunNow, async ({ params, actor }) => {
    const assignment = await requireAssignment(params.assignmentId)
    allow(await canManageAssignment(actor, assignment))
    return presentRun(await retryNow(await requireRun(params), assignment, services), services)
  })

  return router
}
