import {
  type AccuracyCheck,
  applyBlindMarks,
  exportAccuracyCheck,
  flagReviewList,
  getAccuracyCheck,
  getBlindAnswer,
  getReviewList,
  markBlindAnswer,
  REVIEW_LIMITS,
  type ReviewList,
  startAccuracyCheck,
} from '@assay/shared/accuracy-checks.ts'
import { questionPoints } from '@assay/shared/rules/edited-rubric.ts'
import type { Router } from 'express'
import { recordAudit } from '../../audit/audit.service.ts'
import { REVIEW_BUDGET } from '../../grader/scoring/teacher-scores.ts'
import { batchesOf } from '../../lib/batches.ts'
import { AppError } from '../../lib/http/app-error.ts'
import { type Actor, handle } from '../../lib/http/handle.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import { type AccuracyCheckDoc, AccuracyCheckModel } from '../../records/grading/accuracy-check.model.ts'
import type { SubmissionDoc } from '../../records/submissions/submission.model.ts'
import type { Services } from '../../services.ts'
import { requireAssignmentFor } from '../assignments/assignment.service.ts'
import { addBudgetReason, removeBudgetReason } from '../grades/record-override.ts'
import type { AfterDecision } from '../questions/projection-job.ts'
import { describeAnswer, requireQuestion } from '../questions/question.service.ts'
import { notifyListChanged } from '../submissions/submission.events.ts'
import { findSubmissionLabels } from '../submissions/submission.present.ts'
import { findSubmissions } from '../submissions/submission-batches.ts'
import { findFlaggedFor } from '../submissions/submission-grades.ts'
import { namesById } from '../users/user.service.ts'
import {
  applyMarks,
  findCheck,
  isMarked,
  isOpen,
  type MarkedAnswer,
  markAnswer,
  presentResult,
  requireCheck,
  requireSampled,
  type SuggestedAnswer,
  startCheck,
  storeFirstResult,
  suggestedAnswers,
} from './accuracy-check.service.ts'

export function accuracyCheckRoutes(router: Router, services: Services, afterDecision: AfterDecision): void {
  const { clock } = services

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
    // Nothing that shows what anybody thinks of the answer.
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
    const ids = check.answers.map(({ submission_id }) => submission_id)
    const labels = await findSubmissionLabels(assignment, ids)
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
    if (changed.length > 0) notifyListChanged(assignment._id, services)
    return { papers: list ? list.papers.length : changed.length }
  })
}

const UNMARKED = 'Mark the answers of the check first: they tell how far the suggestions are off.'
const BATCH = 500

/** @param limit absent: that of the last flagging, else the usual one. @throws {AppError} `conflict` without marks */
async function findReviewList(
  assignment: AssignmentDoc,
  check: AccuracyCheckDoc,
  limit: number = check.budget?.limit ?? REVIEW_LIMITS.usual,
): Promise<ReviewList> {
  const answers = await suggestedAnswers(assignment, check)
  const marked = answers.filter(isMarked)
  if (!check.finished_at || marked.length === 0) throw new AppError('conflict', UNMARKED)
  const papers = Map.groupBy(answers, ({ submissionId }) => submissionId)
  const approved = await approvedPapers([...papers.keys()])
  const scale = foundOfExpected(marked)
  const open = [...papers]
    .filter(([id, own]) => !approved.has(id) && own.some(({ decided }) => !decided))
    .map(([id, own]) => ({ id, error: possibleError(own, scale) }))
    .sort((a, b) => b.error - a.error)
  const toReview = open.flatMap(({ id, error }) => (error > limit ? [id] : []))
  const labels = await findSubmissionLabels(assignment, toReview)
  const flagged = new Set(await findFlagged(assignment))
  const kept = toReview.filter((id) => flagged.has(id)).length
  return {
    limit,
    papers: toReview.flatMap((id) => {
      const student = labels.get(id)
      return student === undefined ? [] : [{ submission_id: id, student }]
    }),
    others: open.length - toReview.length,
    flagged: flagged.size,
    flags_to_change: toReview.length + flagged.size - 2 * kept,
  }
}

/** Counts one error more, as a few marks may agree by chance. */
function foundOfExpected(marked: MarkedAnswer[]): number {
  const found = marked.reduce((sum, { share, mark }) => sum + Math.abs(share - mark.share), 1)
  return found / marked.reduce((sum, { expectedError }) => sum + expectedError, 1)
}

/** In points of 100: errors that marks show and errors expected of unmarked answers, all in one direction. */
function possibleError(answers: SuggestedAnswer[], scale: number): number {
  const total = answers.reduce((sum, { points }) => sum + points, 0)
  let [seen, expected] = [0, 0]
  for (const { points, share, expectedError, decided, mark } of answers) {
    if (decided) continue
    if (mark) seen += points * (share - mark.share)
    else expected += points * scale * expectedError
  }
  return (100 * (Math.abs(seen) + expected)) / total
}

const findFlagged = (assignment: AssignmentDoc): Promise<number[]> => findFlaggedFor(assignment._id, REVIEW_BUDGET)

/** In place of earlier checks' flags; null flags none. Returns the changed papers. */
async function flagPapers(
  assignment: AssignmentDoc,
  check: AccuracyCheckDoc,
  list: ReviewList | null,
  actor: Actor,
  now: Date,
): Promise<SubmissionDoc[]> {
  const wanted = list?.papers.map(({ submission_id }) => submission_id) ?? []
  const unwanted = (await findFlagged(assignment)).filter((id) => !wanted.includes(id))
  const message = `Going by the accuracy check, the total may be off by more than ${list?.limit} points of 100. Check the points.`
  await AccuracyCheckModel.updateOne(
    { _id: check._id },
    list ? { $set: { budget: { limit: list.limit } } } : { $unset: { budget: '' } },
  )
  const changed = [
    ...(await removeBudgetReason(assignment._id, unwanted)),
    ...(await addBudgetReason(assignment._id, wanted, { code: REVIEW_BUDGET, message })),
  ]
  const action = list ? 'review_budget.flagged' : 'review_budget.unflagged'
  await recordAudit(actor, action, { assignment_id: assignment._id }, now, {
    after: list
      ? { check: check._id, limit: list.limit, papers: wanted }
      : { check: check._id, papers: changed.length },
  })
  return changed
}

async function approvedPapers(ids: number[]): Promise<Set<number>> {
  const approved = new Set<number>()
  for (const some of batchesOf(ids, BATCH))
    for (const { _id, grade } of await findSubmissions(some)) if (grade?.reviewed_at) approved.add(_id)
  return approved
}
