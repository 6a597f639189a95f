import { listExtensions, removeExtension, setExtension } from '@assay/shared/assignments.ts'
import { Router } from 'express'
import { handle } from '../../lib/http/handle.ts'
import type { Services } from '../../services.ts'
import { requireNamesShown } from '../anonymous-grading/present-student.ts'
import { requireAssignmentFor } from './assignment.policy.ts'
import type { AssignmentHooks } from './assignment-hooks.ts'
import { grantExtension, presentExtensions, requireEnrolledStudent, revokeExtension } from './extension.service.ts'

/** Whoever knows who has an extension knows whose paper came after the due date and is not late: refused while names are hidden. */
export function extensionRoutes({ clock }: Services, hooks: AssignmentHooks): Router {
  const router = Router()

  handle(router, listExtensions, async ({ params, actor }) => {
    const assignment = requireNamesShown(await requireAssignmentFor(actor, params.assignmentId))
    return presentExtensions(assignment)
  })

  handle(router, setExtension, async ({ params, body, actor }) => {
    const assignment = requireNamesShown(await requireAssignmentFor(actor, params.assignmentId))
    const student = await requireEnrolledStudent(assignment, params.studentId)
    return grantExtension(assignment, student, body, actor, clock.now(), hooks)
  })

  handle(router, removeExtension, async ({ params, actor }) => {
    const assignment = requireNamesShown(await requireAssignmentFor(actor, params.assignmentId))
    await revokeExtension(assignment, params.studentId, actor, clock.now(), hooks)
    return { message: 'Extension removed.' }
  })

  return router
}
