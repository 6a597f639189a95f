import { listExtensions, removeExtension, setExtension } from '@assay/shared/assignments.ts'
import { Router } from 'express'
import { handle } from '../../lib/http/handle.ts'
import type { Services } from '../../services.ts'
import { requireAssignmentFor } from './assignment.policy.ts'
import type { AssignmentHooks } from './assignment-hooks.ts'
import { grantExtension, presentExtensions, requireEnrolledStudent, revokeExtension } from './extension.service.ts'

export function extensionRoutes({ clock }: Services, hooks: AssignmentHooks): Router {
  const router = Router()

  handle(router, listExtensions, async ({ params, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    return presentExtensions(assignment.extensions ?? [])
  })

  handle(router, setExtension, async ({ params, body, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const student = await requireEnrolledStudent(assignment, params.studentId)
    return grantExtension(assignment, student, body, actor, clock.now(), hooks)
  })

  handle(router, removeExtension, async ({ params, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    await revokeExtension(assignment, params.studentId, actor, clock.now(), hooks)
    return { message: 'Extension removed.' }
  })

  return router
}
