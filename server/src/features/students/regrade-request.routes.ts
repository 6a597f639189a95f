import { requestRegrade } from '@assay/shared/regrades.ts'
import type { Router } from 'express'
import { allow } from '../../lib/http/allow.ts'
import { AppError } from '../../lib/http/app-error.ts'
import { handle } from '../../lib/http/handle.ts'
import type { Services } from '../../services.ts'
import { mailTeachers } from '../regrades/regrade.mails.ts'
import { createRegradeRequest, presentRegrade } from '../regrades/regrade.service.ts'
import { notifySubmissionChanged } from '../submissions/submission.events.ts'
import { requireSubmission } from '../submissions/submission.service.ts'
import { findOwnWork, requireOwnAssignment } from './student-assignment.ts'

export function regradeRequestRoutes(router: Router, services: Services): void {
  const { clock } = services

  handle(router, requestRegrade, async ({ params, body, actor }) => {
    const { assignment, course } = await requireOwnAssignment(actor, params.assignmentId)
    allow('yes') // Loaded as the caller's own.
    const { release } = await findOwnWork(actor.id, assignment)
    if (!release) throw new AppError('conflict', 'You can request a regrade once your grade is released.')
    const submission = await requireSubmission({ assignmentId: assignment._id, submissionId: release._id })
    const asked = await createRegradeRequest(actor, submission, release, assignment.rubric, body, clock.now())
    await notifySubmissionChanged(asked.submission, services)
    await mailTeachers(asked.request, assignment, course, services)
    return presentRegrade(asked.request)
  })
}
