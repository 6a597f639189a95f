import {
  applyAmendment,
  createAmendment,
  getAmendment,
  listAmendments,
  stopAmendment,
  undoAmendment,
} from '@assay/shared/rubric-amendments.ts'
import { Router } from 'express'
import { recordAudit } from '../../audit/audit.service.ts'
import { AppError } from '../../lib/http/app-error.ts'
import { handle } from '../../lib/http/handle.ts'
import type { Services } from '../../services.ts'
import { requireAssignmentFor } from '../assignments/assignment.policy.ts'
import { requireAssignment } from '../assignments/assignment.service.ts'
import { showPapers } from '../questions/question.service.ts'
import { reserveChangeId } from '../questions/question-changes.ts'
import { requireRegrade } from '../regrades/regrade.service.ts'
import { presentAmendment, presentSummary } from './amendment.present.ts'
import { changeState, criterionOf, findAmendmentsOf, requireAmendment, startAmendment } from './amendment.service.ts'
import type { Amendments } from './amendment-jobs.ts'
import { amendRubric } from './apply-amendment.ts'
import { countGroup } from './preview-amendment.ts'
import { restoreRubric } from './undo-amendment.ts'

const NOT_READY =
  'This was applied or discarded already, or the answers are still being compared. Reload the page to see how far it is.'

const NOT_APPLIED = 'There is nothing to undo: this was not applied. Reload the page to see how far it is.'

export function amendmentRoutes(services: Services, amendments: Pick<Amendments, 'enqueue'>): Router {
  const { clock } = services
  const router = Router()

  handle(router, createAmendment, async ({ params, body, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const amendment = await startAmendment(assignment, body, actor, clock.now())
    await amendments.enqueue(assignment, amendment)
    return presentAmendment(assignment, amendment, services)
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
      amendments: await Promise.all(found.map((amendment) => presentSummary(assignment, amendment, papers))),
      group:
        question && criterion_id !== undefined && isAsked
          ? await countGroup(assignment, { question_id: question.id, submission_id, criterion_id })
          : null,
    }
  })

  handle(router, getAmendment, async ({ params, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    return presentAmendment(assignment, await requireAmendment(assignment._id, params.amendmentId), services)
  })

  handle(router, stopAmendment, async ({ params, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const amendment = await requireAmendment(assignment._id, params.amendmentId)
    const stopped = await changeState(amendment, ['computing', 'ready'], { state: 'stopped' })
    return presentAmendment(assignment, stopped ?? amendment, services)
  })

  handle(router, applyAmendment, async ({ params, body, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const amendment = await requireAmendment(assignment._id, params.amendmentId)
    const { criterion } = criterionOf(assignment.rubric, amendment.criterion_id)
    const group_points = body.group_points ?? amendment.granted
    if (group_points > criterion.points) {
      const msg = `At most ${criterion.points} points`
      throw new AppError('validation_failed', msg, {
        details: [{ loc: ['body', 'group_points'], msg, type: 'points' }],
      })
    }
    const choice = {
      submission_ids: body.submission_ids,
      as: body.as,
      group_points,
      actor: { id: actor.id, role: actor.role, session_id: actor.sessionId },
      at: clock.now(),
      change_id: await reserveChangeId(),
    }
    const applying = await changeState(amendment, ['ready'], { state: 'applying', choice, done: 0, total: 0 })
    if (!applying) throw new AppError('conflict', NOT_READY)
    try {
      // Here and not in the job, so that what speaks against it is said at once.
      await amendRubric(assignment, { ...applying, choice })
    } catch (error) {
      if (error instanceof AppError) await changeState(amendment, ['applying'], { state: 'ready', choice: null })
      throw error
    }
    await amendments.enqueue(assignment, applying)
    return presentAmendment(await requireAssignment(assignment._id), applying, services)
  })

  handle(router, undoAmendment, async ({ params, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const amendment = await requireAmendment(assignment._id, params.amendmentId)
    const { id, role, sessionId } = actor
    const undo = {
      actor: { id, role, session_id: sessionId },
      at: clock.now(),
      // Of an attempt that failed half-way: what it did is not done again.
      change_id: amendment.undo?.change_id ?? (await reserveChangeId()),
      restored: [],
    }
    const undoing = await changeState(amendment, ['applied'], { state: 'undoing', undo, failure: null })
    if (!undoing) {
      const now = await requireAmendment(assignment._id, params.amendmentId)
      if (now.state !== 'undoing' && now.state !== 'undone') throw new AppError('conflict', NOT_APPLIED)
      return presentAmendment(assignment, now, services)
    }
    try {
      // Here and not in the job, so that what speaks against it is said at once.
      await restoreRubric(assignment, { ...undoing, undo })
    } catch (error) {
      if (error instanceof AppError) await changeState(amendment, ['undoing'], { state: 'applied' })
      throw error
    }
    await recordAudit(
      actor,
      'amendment.undone',
      { assignment_id: assignment._id, amendment_id: amendment._id },
      undo.at,
      {
        before: { kind: amendment.kind, text: amendment.text, answers: amendment.changed.length },
      },
    )
    await amendments.enqueue(assignment, undoing)
    return presentAmendment(await requireAssignment(assignment._id), undoing, services)
  })

  return router
}
