import { applyAmendment, listAmendments, previewAmendment, undoAmendment } from '@assay/shared/rubric-amendments.ts'
import { Router } from 'express'
import { handle } from '../../lib/http/handle.ts'
import type { Services } from '../../services.ts'
import { requireAssignmentFor } from '../assignments/assignment.policy.ts'
import { showPapers } from '../questions/question.service.ts'
import { requireRegrade } from '../regrades/regrade.service.ts'
import { presentAmendment, presentPreview } from './amendment.present.ts'
import { findAmendmentsOf, requireAmendment, requireDraft } from './amendment.service.ts'
import type { Amendments } from './apply-amendment.ts'
import { compareRubrics, countGroup } from './compare-rubrics.ts'

export function amendmentRoutes(services: Services, amendments: Pick<Amendments, 'apply' | 'undo'>): Router {
  const router = Router()

  handle(router, previewAmendment, async ({ params, body, actor, signal }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const draft = await requireDraft(assignment, body)
    const { answers } = await compareRubrics(assignment, draft, services, signal)
    return presentPreview(assignment, draft, answers, services)
  })

  handle(router, applyAmendment, async ({ params, body, actor, signal }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const applied = await amendments.apply(assignment, body, actor, signal)
    return presentAmendment(assignment, applied, await showPapers(assignment, [applied], services))
  })

  handle(router, listAmendments, async ({ params, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const request = await requireRegrade(assignment._id, params.regradeId)
    const papers = await showPapers(assignment, [request], services)
    const found = await findAmendmentsOf(request)
    const { submission_id, question, criterion } = request
    const criterion_id = criterion?.criterion_id
    const isAsked = assignment.rubric?.questions.some(({ id }) => id === question?.id)
    return {
      amendments: await Promise.all(found.map((amendment) => presentAmendment(assignment, amendment, papers))),
      group:
        question && criterion_id !== undefined && isAsked
          ? await countGroup(assignment, { question_id: question.id, submission_id, criterion_id })
          : null,
    }
  })

  handle(router, undoAmendment, async ({ params, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const amendment = await requireAmendment(assignment._id, params.amendmentId)
    const undone = await amendments.undo(assignment, amendment, actor)
    return presentAmendment(assignment, undone, await showPapers(assignment, [undone], services))
  })

  return router
}
