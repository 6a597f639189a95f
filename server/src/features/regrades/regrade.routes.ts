import { answerRegrade, listOpenRegrades, listRegrades } from '@assay/shared/regrades.ts'
import type { Router } from 'express'
import { handle } from '../../lib/http/handle.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { Services } from '../../services.ts'
import { hideTexts } from '../anonymity/hidden-names.ts'
import { requireAssignmentFor } from '../assignments/assignment.service.ts'
import { showPapers } from '../questions/question.service.ts'
import { requireSubmission } from '../submissions/submission.service.ts'
import { answerRegradeRequest, type CarryDecisions, notifyAnswered } from './answer-regrade.ts'
import { findOpenRegrades, findRegrades, presentRegrade } from './regrade.service.ts'

export function regradeRoutes(router: Router, services: Services, carryDecisions: CarryDecisions): void {
  const { clock } = services

  handle(router, listRegrades, async ({ params, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const submission = await requireSubmission(params)
    const mask = await services.names.maskFor(assignment)
    return (await findRegrades(submission._id)).map((request) => hideTexts(presentRegrade(request), mask))
  })

  handle(router, listOpenRegrades, async ({ params, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    return presentOpenRegrades(assignment, services)
  })

  handle(router, answerRegrade, async ({ params, body, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const submission = await requireSubmission(params)
    const mask = await services.names.maskFor(assignment)
    const answered = await answerRegradeRequest(assignment, submission, params.regradeId, body, actor, clock.now())
    await notifyAnswered(assignment, answered, services, carryDecisions)
    return hideTexts(presentRegrade(answered.request), mask)
  })
}

async function presentOpenRegrades(assignment: AssignmentDoc, services: Services) {
  const requests = await findOpenRegrades(assignment._id)
  const { labels, mask } = await showPapers(assignment, requests, services)
  return requests.flatMap((request) => {
    const student = labels.get(request.submission_id)
    if (student === undefined) return []
    return [{ ...hideTexts(presentRegrade(request), mask), student }]
  })
}
