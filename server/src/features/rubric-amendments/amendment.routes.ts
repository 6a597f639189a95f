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
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { RubricAmendmentDoc } from '../../records/grading/rubric-amendment.model.ts'
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

/** Longer than a request takes to store its job, in ms. */
const LEFT_AFTER_MS = 60_000

export function amendmentRoutes(services: Services, amendments: Pick<Amendments, 'enqueue'>): Router {
  const { clock } = services
  const router = Router()

  /** Of a request that ended half-way, one may have no job. One of a moment ago is about to have it, and is not to be overtaken. */
  async function enqueueIfLeft(assignment: AssignmentDoc, amendment: RubricAmendmentDoc): Promise<void> {
    const { state, choice, undo } = amendment
    const begun = state === 'applying' ? choice?.at : state === 'undoing' ? undo?.at : undefined
    if (begun && clock.now().getTime() - begun.getTime() > LEFT_AFTER_MS)
      await amendments.enqueue(assignment, amendment)
  }

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
    // An attempt that failed may have changed the rubric: that version is known by when it was made.
    const failed = amendment.choice?.actor.id === actor.id ? amendment.choice : null
    const choice = {
      submission_ids: body.submission_ids,
      as: body.as,
      group_points,
      actor: { id: actor.id, role: actor.role, session_id: actor.sessionId },
      at: failed?.at ?? clock.now(),
      change_id: failed?.change_id ?? (await reserveChangeId()),
    }
    const applying = await changeState(amendment, ['ready'], { state: 'applying', choice, done: 0, total: 0 })
    if (!applying) {
      await enqueueIfLeft(assignment, await requireAmendment(assignment._id, params.amendmentId))
      throw new AppError('conflict', NOT_READY)
    }
    try {
      // Here and not in the job, so that what speaks against it is said at once.
      await amendRubric(assignment, { ...applying, choice })
      await amendments.enqueue(assignment, applying)
    } catch (error) {
      const kept = error instanceof AppError ? null : choice
      await changeState(amendment, ['applying'], { state: 'ready', choice: kept })
      throw error
    }
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
      await enqueueIfLeft(assignment, now)
      return presentAmendment(assignment, now, services)
    }
    try {
      // Here and not in the job, so that what speaks against it is said at once.
      await restoreRubric(assignment, { ...undoing, undo })
      const subject = { assignment_id: assignment._id, amendment_id: amendment._id }
      const { kind, text, changed } = amendment
      await recordAudit(actor, 'amendment.undone', subject, undo.at, {
        before: { kind, text, answers: changed.length },
      })
      await amendments.enqueue(assignment, undoing)
    } catch (error) {
      await changeState(amendment, ['undoing'], { state: 'applied' })
      throw error
    }
    return presentAmendment(await requireAssignment(assignment._id), undoing, services)
  })

  return router
}
