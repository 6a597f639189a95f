import {
  applyBlindMarks,
  exportAccuracyCheck,
  flagReviewBudget,
  getAccuracyCheck,
  getBlindAnswer,
  getReviewBudget,
  markBlindAnswer,
  startAccuracyCheck,
  unflagReviewBudget,
} from '@assay/shared/accuracy-checks.ts'
import { Router } from 'express'
import { handle } from '../../lib/http/handle.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { AccuracyCheckDoc } from '../../records/grading/accuracy-check.model.ts'
import type { SubmissionDoc } from '../../records/submissions/submission.model.ts'
import type { Services } from '../../services.ts'
import { requireAssignmentFor } from '../assignments/assignment.policy.ts'
import type { AfterDecision } from '../questions/after-decision.ts'
import { describeAnswer, requireQuestion } from '../questions/question.service.ts'
import { notifyListChanged } from '../submissions/submission.events.ts'
import { findSubmissionLabels } from '../submissions/submission-labels.ts'
import { namesById } from '../users/user.service.ts'
import { presentBlind, presentCheck } from './accuracy-check.present.ts'
import {
  findCheck,
  markAnswer,
  requireCheck,
  requireSampled,
  startCheck,
  storeFirstResult,
} from './accuracy-check.service.ts'
import { applyMarks } from './apply-marks.ts'
import { classAnswers, marksOf, undecided } from './class-answers.ts'
import { type BudgetChoice, findFlagged, flagPapers, papersToReview, unflagPapers } from './review-budget.ts'

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
    const all = await classAnswers(assignment)
    const available = undecided(all).length
    return { check: check && (await present(assignment, check)), available, decided: all.length - available }
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

  /** However many papers, open screens hear of it once. */
  function notifyFlagged({ _id }: AssignmentDoc, changed: readonly SubmissionDoc[]) {
    if (changed.length > 0) notifyListChanged(_id, services)
  }

  async function presentBudget(assignment: AssignmentDoc, { asked, budget, limits }: BudgetChoice) {
    const { toReview, others, risk } = budget
    const labels = await findSubmissionLabels(assignment, toReview)
    const flagged = new Set(await findFlagged(assignment))
    const kept = toReview.filter((id) => flagged.has(id)).length
    return {
      asked,
      papers: toReview.flatMap((id) => {
        const student = labels.get(id)
        return student === undefined ? [] : [{ submission_id: id, student }]
      }),
      others,
      risk: risk * 100,
      limits,
      flagged: flagged.size,
      flags_to_change: toReview.length - kept + flagged.size - kept,
    }
  }

  handle(router, getReviewBudget, async ({ params, query, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const check = await requireCheck(assignment._id)
    return presentBudget(assignment, await papersToReview(assignment, check, query))
  })

  handle(router, flagReviewBudget, async ({ params, body: { check_id, ...asked }, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const check = await requireCheck(assignment._id, check_id)
    const choice = await papersToReview(assignment, check, asked)
    const changed = await flagPapers(assignment, check, choice.budget.toReview, asked, actor, clock.now())
    notifyFlagged(assignment, changed)
    return presentBudget(assignment, choice)
  })

  handle(router, unflagReviewBudget, async ({ params, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const check = await requireCheck(assignment._id)
    const changed = await unflagPapers(assignment, check, actor, clock.now())
    notifyFlagged(assignment, changed)
    return { papers: changed.length }
  })

  return router
}
