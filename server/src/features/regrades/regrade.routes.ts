import { answerRegrade, askForRegrade, listRegrades } from '@assay/shared/regrades.ts'
import { Router } from 'express'
import { allow } from '../../lib/http/allow.ts'
import { AppError } from '../../lib/http/app-error.ts'
import { handle } from '../../lib/http/handle.ts'
import type { Services } from '../../services.ts'
import { canManageAssignment } from '../assignments/assignment.policy.ts'
import { requireAssignment } from '../assignments/assignment.service.ts'
import { findOwnWork, requireOwnAssignment } from '../students/student-assignment.ts'
import { notifySubmissionChanged } from '../submissions/submission.events.ts'
import { requireSubmission } from '../submissions/submission.service.ts'
import { mailStudent, mailTeachers } from './regrade.mails.ts'
import { answerRegradeRequest, findRegrades, presentRegrade, requestRegrade } from './regrade.service.ts'

export function regradeRoutes(services: Services): Router {
  const { clock } = services
  const router = Router()

  handle(router, askForRegrade, async ({ params, body, actor }) => {
    const { assignment, course } = await requireOwnAssignment(actor, params.assignmentId)
    allow('yes') // Loaded as the caller's own.
    const { release } = await findOwnWork(actor.id, assignment._id)
    if (!release) throw new AppError('conflict', 'You can ask for another look once your grade is released.')
    const submission = await requireSubmission({ assignmentId: assignment._id, submissionId: release._id })
    const asked = await requestRegrade(actor, submission, release, body, clock.now())
    await notifySubmissionChanged(asked.submission, services)
    await mailTeachers(asked.request, assignment, course, services)
    return presentRegrade(asked.request)
  })

  handle(router, listRegrades, async ({ params, actor }) => {
    const assignment = await requireAssignment(params.assignmentId)
    allow(await canManageAssignment(actor, assignment))
    const submission = await requireSubmission(params)
    return (await findRegrades(submission._id)).map(presentRegrade)
  })

  handle(router, answerRegrade, async ({ params, body, actor }) => {
    const assignment = await requireAssignment(params.assignmentId)
    allow(await canManageAssignment(actor, assignment))
    const submission = await requireSubmission(params)
    const answered = await answerRegradeRequest(actor, submission, params.regradeId, body.answer, clock.now())
    await notifySubmissionChanged(answered.submission, services)
    await mailStudent(answered.request, assignment, services)
    return presentRegrade(answered.request)
  })

  return router
}
