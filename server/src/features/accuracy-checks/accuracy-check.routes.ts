import {
  type AccuracyCheck,
  applyBlindMarks,
  exportAccuracyCheck,
  flagReviewList,
  getAccuracyCheck,
  getBlindAnswer,
  getReviewList,
  markBlindAnswer,
  startAccuracyCheck,
} from '@assay/shared/accuracy-checks.ts'
import { Router } from 'express'
import { handle } from '../../lib/http/handle.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { AccuracyCheckDoc } from '../../records/grading/accuracy-check.model.ts'
import type { Services } from '../../services.ts'
import { requireAssignmentFor } from '../assignments/assignment.policy.ts'
import type { AfterDecision } from '../questions/after-decision.ts'
import { questionPoints } from '../questions/question.present.ts'
import { describeAnswer, requireQuestion } from '../questions/question.service.ts'
import { notifyListChanged } from '../submissions/submission.events.ts'
import { findSubmissionLabels } from '../submissions/submission-labels.ts'
import { namesById } from '../users/user.service.ts'
import {
  applyMarks,
  findCheck,
  isOpen,
  markAnswer,
  requireCheck,
  requireSampled,
  startCheck,
  storeFirstResult,
} from './accuracy-check.service.ts'
import { presentResult, suggestedAnswers } from './accuracy-result.ts'
import { findReviewList, flagPapers } from './review-list.ts'

/** `afterDecision`: what follows a decision on a question, as one made by question. */
export function accuracyCheckRoutes(services: Services, afterDecision: AfterDecision): Router {
  const { clock } = services
  const router = Router()

  /** With its result, once it is finished. */
  async function present(assignment: AssignmentDoc, check: AccuracyCheckDoc): Promise<AccuracyCheck> {
    return {
      id: check._id,
      started_at: check.started_at.toISOString(),
      started_by: (await namesById([check.started_by])).get(check.started_by) ?? '',
      answers: check.answers.map((answer, i) => ({
        position: i + 1,
        state: isOpen(answer) ? 'open' : answer.skipped ? 'skipped' : 'marked',
      })),
      finished_at: check.finished_at?.toISOString() ?? null,
      result: check.finished_at ? presentResult(check, await suggestedAnswers(assignment, check)) : null,
    }
  }

  handle(router, getAccuracyCheck, async ({ params, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const check = await findCheck(assignment._id)
    const all = await suggestedAnswers(assignment)
    const decided = all.filter((answer) => answer.decided).length
    return { check: check && (await present(assignment, check)), available: all.length - decided, decided }
  })

  handle(router, startAccuracyCheck, async ({ params, body, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    return present(assignment, await startCheck(assignment, body.answers, actor, clock.now()))
  })

  handle(router, getBlindAnswer, async ({ params: { assignmentId, position }, actor }) => {
    const assignment = await requireAssignmentFor(actor, assignmentId)
    const sampled = requireSampled(await requireCheck(assignment._id), position)
    const asked = requireQuestion(assignment, sampled.question_id)
    // Only what tells nothing of what anybody thinks of the answer.
    const { submission_id, state, text, pictures } = await describeAnswer(
      assignment,
      asked,
      sampled.submission_id,
      services,
    )
    const { id, number, prompt, kind, criteria, notes = null } = asked
    const question = { id, number, prompt, kind, criteria, notes, points: questionPoints(asked) }
    return {
      position,
      submission_id,
      question,
      state,
      text,
      pictures,
      points: sampled.points,
      skipped: sampled.skipped,
    }
  })

  handle(router, markBlindAnswer, async ({ params: { assignmentId, position }, body, actor }) => {
    const assignment = await requireAssignmentFor(actor, assignmentId)
    const check = await requireCheck(assignment._id, body.check_id)
    const marked = await markAnswer(assignment, check, { position, points: body.points }, actor, clock.now())
    const reply = await present(assignment, { ...marked, first_result: undefined })
    if (reply.result) await storeFirstResult(marked, reply.result)
    return reply
  })

  handle(router, exportAccuracyCheck, async ({ params, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const check = await requireCheck(assignment._id)
    const labels = await findSubmissionLabels(
      assignment,
      check.answers.map(({ submission_id }) => submission_id),
    )
    return {
      format: 'assay-accuracy-check/1' as const,
      assignment_id: assignment._id,
      exported_at: clock.now().toISOString(),
      check: await present(assignment, check),
      marks: check.answers.map((answer, i) => ({
        position: i + 1,
        ...answer,
        student: labels.get(answer.submission_id) ?? null,
      })),
    }
  })

  handle(router, applyBlindMarks, async ({ params, body, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    return applyMarks(assignment, await requireCheck(assignment._id, body.check_id), actor, clock.now(), afterDecision)
  })

  handle(router, getReviewList, async ({ params, query, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    return findReviewList(assignment, await requireCheck(assignment._id), query.limit)
  })

  handle(router, flagReviewList, async ({ params, body: { check_id, limit }, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const check = await requireCheck(assignment._id, check_id)
    const list = limit === null ? null : await findReviewList(assignment, check, limit)
    const changed = await flagPapers(assignment, check, list, actor, clock.now())
    // However many papers, open screens hear of it once.
    if (changed.length > 0) notifyListChanged(assignment._id, services)
    return { papers: list ? list.papers.length : changed.length }
  })

  return router
}
