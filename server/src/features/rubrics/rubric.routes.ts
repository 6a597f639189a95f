import {
  checkRubric,
  exportRubric,
  generateRubric,
  getAssignmentPaper,
  getPaperText,
  getRubric,
  getRubricVersion,
  listRubricVersions,
  restoreRubricVersion,
  saveRubric,
  stopRubricGeneration,
} from '@assay/shared/rubric-endpoints.ts'
import { rubricToFile } from '@assay/shared/rules/rubric-file.ts'
import { Router } from 'express'
import { notFound } from '../../lib/http/app-error.ts'
import { handle, RawReply } from '../../lib/http/handle.ts'
import { sendStoredPdf } from '../../lib/http/send-pdf.ts'
import type { Services } from '../../services.ts'
import { requireAssignmentFor } from '../assignments/assignment.policy.ts'
import { requireAssignment } from '../assignments/assignment.service.ts'
import { confirmRubric, editRubric, restoreVersion } from './edit-rubric.ts'
import { openStoredRubric } from './open-stored-rubric.ts'
import { readTextInBox } from './read-text-in-box.ts'
import { presentRubric, presentVersions } from './rubric.present.ts'
import { listVersions, requireVersion } from './rubric.service.ts'
import { stopGeneration } from './rubric-generation.service.ts'
import type { RubricGenerations } from './rubric-generation-jobs.ts'
import type { RubricUsage } from './rubric-usage.ts'

export function rubricRoutes(services: Services, generations: RubricGenerations, usage: RubricUsage): Router {
  const { clock, files } = services
  const router = Router()

  handle(router, getRubric, async ({ params, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    return presentRubric(assignment, services, usage)
  })

  handle(router, saveRubric, async ({ params, body, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    return presentRubric(await editRubric(assignment, body, actor, clock.now(), usage), services, usage)
  })

  handle(router, listRubricVersions, async ({ params, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    return presentVersions(await listVersions(assignment))
  })

  handle(router, getRubricVersion, async ({ params, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const version = await requireVersion(assignment, params.version)
    const [presented] = await presentVersions([version])
    if (!presented) throw new Error('one in, one out')
    return { ...presented, rubric: openStoredRubric(version.rubric) }
  })

  handle(router, restoreRubricVersion, async ({ params, body, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const version = await requireVersion(assignment, params.version)
    return presentRubric(
      await restoreVersion(assignment, version, body.version, actor, clock.now(), usage),
      services,
      usage,
    )
  })

  handle(router, generateRubric, async ({ params, body, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    await generations.start(assignment, body, actor)
    return presentRubric(await requireAssignment(params.assignmentId), services, usage)
  })

  handle(router, stopRubricGeneration, async ({ params, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    await stopGeneration(assignment._id, services)
    return presentRubric(await requireAssignment(params.assignmentId), services, usage)
  })

  handle(router, exportRubric, async ({ params, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    if (!assignment.rubric) throw notFound('There is no rubric yet. Create one first.')
    return rubricToFile(assignment.title, assignment.rubric)
  })

  handle(router, checkRubric, async ({ params, body, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    return presentRubric(await confirmRubric(assignment, body, actor, clock.now()), services, usage)
  })

  handle(router, getPaperText, async ({ params, query, actor, signal }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const { page, ...box } = query
    return { text: await readTextInBox(assignment, params.which, { page, box }, services, signal) }
  })

  handle(router, getAssignmentPaper, async ({ params, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    return new RawReply((response) => sendStoredPdf(assignment[params.which], files, response.req, response))
  })

  return router
}
