import { REVIEW_LIMITS, type ReviewList } from '@assay/shared/accuracy-checks.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { AppError } from '../../lib/http/app-error.ts'
import type { Actor } from '../../lib/http/handle.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import { type AccuracyCheckDoc, AccuracyCheckModel } from '../../records/grading/accuracy-check.model.ts'
import type { SubmissionDoc } from '../../records/submissions/submission.model.ts'
import { REVIEW_BUDGET } from '../grades/review-after-decisions.ts'
import { addBudgetReason, removeBudgetReason } from '../grades/review-flags.ts'
import { findSubmissions } from '../submissions/submission-batches.ts'
import { findFlaggedFor } from '../submissions/submission-grades.ts'
import { findSubmissionLabels } from '../submissions/submission-labels.ts'
import { isMarked, type MarkedAnswer, type SuggestedAnswer, suggestedAnswers } from './accuracy-result.ts'

const UNMARKED = 'Mark the answers of the check first: they tell how far the suggestions are off.'
const BATCH = 500

/**
 * @param limit as papers were last flagged by, else the usual one, where absent
 * @throws {AppError} `conflict` where the check has no marks to tell it by
 */
export async function findReviewList(
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

/** How far the grader is off, relative to what it expects. It counts as one more answer that it is off by just that: a few marks may all agree. */
function foundOfExpected(marked: MarkedAnswer[]): number {
  const found = marked.reduce((sum, { share, mark }) => sum + Math.abs(share - mark.share), 1)
  return found / marked.reduce((sum, { expectedError }) => sum + expectedError, 1)
}

/** How far a paper's total may be off, in points of 100: as the marks say, and as expected of answers without one, all in one direction. */
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

/**
 * Flags just the papers of the list for review, or with null none: flags of earlier checks are taken back, what graders flagged stays.
 * Returns the papers that were changed.
 */
export async function flagPapers(
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
    // Those flagged before too: the limit may be another.
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
  for (let i = 0; i < ids.length; i += BATCH)
    for (const { _id, grade } of await findSubmissions(ids.slice(i, i + BATCH)))
      if (grade?.reviewed_at) approved.add(_id)
  return approved
}
