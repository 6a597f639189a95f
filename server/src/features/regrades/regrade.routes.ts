import { answerRegrade, listRegrades } from '@assay/shared/regrades.ts'
import { Router } from 'express'
import { handle } from '../../lib/http/handle.ts'
import type { Services } from '../../services.ts'
import { hideTexts } from '../anonymous-grading/hidden-names.ts'
import { requireAssignmentFor } from '../assignments/assignment.policy.ts'
import { notifySubmissionChanged } from '../submissions/submission.events.ts'
import { requireSubmission } from '../submissions/submission.service.ts'
import { mailStudent } from './regrade.mails.ts'
import { answerRegradeRequest, findRegrades, presentRegrade } from './regrade.service.ts'

export function regradeRoutes(services: Services): Router {
  const { clock } = services
  const router = Router()

  handle(router, listRegrades, async ({ params, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const submission = await requireSubmission(params)
    const mask = await services.names.maskFor(assignment, submission)
    return (await findRegrades(submission._id)).map((request) => hideTexts(presentRegrade(request), mask))
  })

  handle(router, answerRegrade, async ({ params, body, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const submission = await requireSubmission(params)
    const answered = await answerRegradeRequest(actor, submission, params.regradeId, body.answer, clock.now())
    await notifySubmissionChanged(answered.submission, services)
    await mailStudent(answered.request, assignment, services)
    return hideTexts(presentRegrade(answered.request), await services.names.maskFor(assignment, submission))
  })

  return router
}
