import {
  applyBlindMarks,
  getAccuracyCheck,
  getBlindAnswer,
  getReviewBudget,
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
import { describeAnswer, requireQuestion } from '../questions/question.service.ts'
import { findSubmissionLabels } from '../submissions/submission-labels.ts'
import { namesById } from '../users/user.service.ts'
import { presentBlind, presentCheck } from './accuracy-check.present.ts'
import { findCheck, markAnswer, requireCheck, requireSampled, startCheck } from './accuracy-check.service.ts'
import { applyMarks } from './apply-marks.ts'
import { classAnswers, marksOf } from './class-answers.ts'
import { papersToReview } from './review-budget.ts'

/** `afterDecision`: what follows a decision on a question, as one made by question. */
export function accuracyCheckRoutes(services: Services, afterDecision: AfterDecision): Router {
  const { clock } = services
  const router = Router()

  /** With its result, once it is finished. */
  async function present(assignment: AssignmentDoc, check: AccuracyCheckDoc) {
    const name = (await namesById([check.started_by])).get(check.started_by) ?? ''
    return presentCheck(check, name, check.finished_at ? await classAnswers(assignment, marksOf(check)) : null)
  }

  handle(router, getAccuracyCheck, async ({ params, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const check = await findCheck(assignment._id)
    const available = (await classAnswers(assignment)).length
    return { check: check && (await present(assignment, check)), available }
  })

  handle(router, startAccuracyCheck, async ({ params, body, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    return present(assignment, await startCheck(assignment, body.answers, actor, clock.now()))
  })

  handle(router, getBlindAnswer, async ({ params: { assignmentId, position }, actor }) => {
    const assignment = await requireAssignmentFor(actor, assignmentId)
    const sampled = requireSampled(await requireCheck(assignment._id), position)
    const question = requireQuestion(assignment, sampled.question_id)
    const details = await describeAnswer(assignment, question, sampled.submission_id, services)
    return presentBlind(position, sampled, question, details)
  })

  handle(router, markBlindAnswer, async ({ params: { assignmentId, position }, body, actor }) => {
    const assignment = await requireAssignmentFor(actor, assignmentId)
    const check = await requireCheck(assignment._id, body.check_id)
    return present(
      assignment,
      await markAnswer(assignment, check, { position, points: body.points }, actor, clock.now()),
    )
  })

  handle(router, applyBlindMarks, async ({ params, body, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    return applyMarks(assignment, await requireCheck(assignment._id, body.check_id), actor, clock.now(), afterDecision)
  })

  handle(router, getReviewBudget, async ({ params, query, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const check = await requireCheck(assignment._id)
    const limits = { limit: query.limit, probability: query.risk / 100 }
    const { toReview, others, risk } = await papersToReview(assignment, check, limits)
    const labels = await findSubmissionLabels(assignment, toReview)
    return {
      papers: toReview.flatMap((id) => {
        const student = labels.get(id)
        return student === undefined ? [] : [{ submission_id: id, student }]
      }),
      others,
      risk: risk * 100,
    }
  })

  return router
}
