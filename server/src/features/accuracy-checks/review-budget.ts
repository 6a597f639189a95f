import { REVIEW_LIMITS, REVIEW_RISKS, type ReviewBudgetLimits } from '@assay/shared/accuracy-checks.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { chooseReviewBudgets, type ReviewBudget } from '../../grader/agreement/review-budget.ts'
import { AppError } from '../../lib/http/app-error.ts'
import type { Actor } from '../../lib/http/handle.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import { type AccuracyCheckDoc, AccuracyCheckModel } from '../../records/grading/accuracy-check.model.ts'
import type { SubmissionDoc } from '../../records/submissions/submission.model.ts'
import { REVIEW_BUDGET } from '../grades/review-budget-reason.ts'
import { addBudgetReason, removeBudgetReason } from '../grades/review-flags.ts'
import { findSubmissions } from '../submissions/submission-batches.ts'
import { findFlaggedFor } from '../submissions/submission-grades.ts'
import { classAnswers, marksOf } from './class-answers.ts'

const UNMARKED = 'Mark the answers of the check first: they tell how far the suggestions are off.'

export interface BudgetChoice {
  asked: ReviewBudgetLimits
  budget: ReviewBudget
  /** For each limit that is offered. */
  limits: { limit: number; others: number }[]
}

/**
 * @param asked what is left out is as it was when papers were flagged; else the usual risk, and the lowest limit at which any paper needs
 *   no look
 * @throws {AppError} `conflict` where the check has no marks to tell it by
 */
export async function papersToReview(
  assignment: AssignmentDoc,
  check: AccuracyCheckDoc,
  asked: Partial<ReviewBudgetLimits> = {},
): Promise<BudgetChoice> {
  const answers = await classAnswers(assignment, marksOf(check))
  if (!check.finished_at || !answers.some(({ person }) => person !== undefined))
    throw new AppError('conflict', UNMARKED)
  const papers = [...Map.groupBy(answers, ({ submissionId }) => submissionId)].map(([id, own]) => ({
    id,
    answers: own,
  }))
  const approved = await approvedPapers(papers.map(({ id }) => id))
  const risk = asked.risk ?? check.budget?.risk ?? REVIEW_RISKS.usual
  const wanted = asked.limit ?? check.budget?.limit
  const limits = [
    ...new Set([...REVIEW_LIMITS.offered, REVIEW_LIMITS.usual, ...(wanted === undefined ? [] : [wanted])]),
  ]
  const budgets = chooseReviewBudgets(
    papers.map((paper) => ({ ...paper, approved: approved.has(paper.id) })),
    { limits, probability: risk / 100 },
  ).map((budget, i) => ({ limit: limits[i] ?? 0, budget }))
  const from = budgets.find(({ limit, budget }) => limit >= REVIEW_LIMITS.usual && budget.others > 0)
  const limit = wanted ?? from?.limit ?? REVIEW_LIMITS.usual
  const chosen = budgets.find((one) => one.limit === limit)
  if (!chosen) throw new Error(`no review budget for ${limit} points`)
  return {
    asked: { limit, risk },
    budget: chosen.budget,
    limits: REVIEW_LIMITS.offered.map((offered) => ({
      limit: offered,
      others: budgets.find((one) => one.limit === offered)?.budget.others ?? 0,
    })),
  }
}

export const findFlagged = (assignment: AssignmentDoc): Promise<number[]> =>
  findFlaggedFor(assignment._id, REVIEW_BUDGET)

/** Flags just these papers: flags of an earlier review budget are taken back. Returns the papers that were changed. */
export async function flagPapers(
  assignment: AssignmentDoc,
  check: AccuracyCheckDoc,
  toReview: readonly number[],
  limits: ReviewBudgetLimits,
  actor: Actor,
  now: Date,
): Promise<SubmissionDoc[]> {
  const wanted = new Set(toReview)
  const flagged = new Set(await findFlagged(assignment))
  await AccuracyCheckModel.updateOne({ _id: check._id }, { $set: { budget: limits } })
  const message = `Going by the accuracy check, the total may be off by more than ${limits.limit} points of 100. Check the points.`
  const changed = [
    ...(await removeBudgetReason(
      assignment._id,
      [...flagged].filter((id) => !wanted.has(id)),
    )),
    // Those flagged before too: the limit may be another.
    ...(await addBudgetReason(assignment._id, [...toReview], { code: REVIEW_BUDGET, message })),
  ]
  await recordAudit(actor, 'review_budget.flagged', { assignment_id: assignment._id }, now, {
    after: { check: check._id, ...limits, papers: [...wanted] },
  })
  return changed
}

/** Returns the papers that were changed. */
export async function unflagPapers(
  assignment: AssignmentDoc,
  check: AccuracyCheckDoc,
  actor: Actor,
  now: Date,
): Promise<SubmissionDoc[]> {
  const changed = await removeBudgetReason(assignment._id, await findFlagged(assignment))
  await AccuracyCheckModel.updateOne({ _id: check._id }, { $unset: { budget: '' } })
  await recordAudit(actor, 'review_budget.unflagged', { assignment_id: assignment._id }, now, {
    after: { check: check._id, papers: changed.length },
  })
  return changed
}

const BATCH = 500

async function approvedPapers(ids: number[]): Promise<Set<number>> {
  const approved = new Set<number>()
  for (let i = 0; i < ids.length; i += BATCH)
    for (const { _id, grade } of await findSubmissions(ids.slice(i, i + BATCH)))
      if (grade?.reviewed_at) approved.add(_id)
  return approved
}
