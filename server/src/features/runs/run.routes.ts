import { getRun, listRuns, processAssignment, stopRun } from '@assay/shared/runs.ts'
import { Router } from 'express'
import { allow } from '../../lib/allow.ts'
import { handle } from '../../lib/handle.ts'
import type { Services } from '../../services.ts'
import { canManageAssignment } from '../assignments/assignment.policy.ts'
import { requireAssignment } from '../assignments/assignment.service.ts'
import type { Grading } from './grading.ts'
import { presentRun } from './run.present.ts'
import { endRun, latestRuns, requireRun, startRun } from './run.service.ts'

export function runRoutes(services: Services, grading: Grading): Router {
  const { clock } = services
  const router = Router()

  handle(router, processAssignment, async ({ params, body, actor }) => {
    const assignment = await requireAssignment(params.assignmentId)
    allow(await canManageAssignment(actor, assignment))
    const run = await startRun(assignment, body ?? {}, actor, services)
    await grading.begin(run)
    return { message: 'Processing started successfully!', run_id: run._id, queued: run.planned.length }
  })

  handle(router, listRuns, async ({ params, actor }) => {
    const assignment = await requireAssignment(params.assignmentId)
    allow(await canManageAssignment(actor, assignment))
    const runs = await latestRuns(assignment)
    return Promise.all(runs.map((run) => presentRun(run, clock.now())))
  })

  handle(router, getRun, async ({ params, actor }) => {
    const assignment = await requireAssignment(params.assignmentId)
    allow(await canManageAssignment(actor, assignment))
    return presentRun(await requireRun(params), clock.now())
  })

  handle(router, stopRun, async ({ params, actor }) => {
    const assignment = await requireAssignment(params.assignmentId)
    allow(await canManageAssignment(actor, assignment))
    const run = await requireRun(params)
    await endRun(run, 'stopped', services)
    return presentRun(await requireRun(params), clock.now())
  })

  return router
}
