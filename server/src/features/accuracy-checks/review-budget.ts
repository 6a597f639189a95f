import { chooseReviewBudget, type ReviewBudget } from '../../grader/agreement/review-budget.ts'
import { AppError } from '../../lib/http/app-error.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { AccuracyCheckDoc } from '../../records/grading/accuracy-check.model.ts'
import { findSubmissions } from '../submissions/submission-batches.ts'
import { classAnswers, marksOf } from './class-answers.ts'

const UNMARKED = 'Mark the answers of the check first: they tell how far the suggestions are off.'

/** @throws {AppError} `conflict` where the check has no marks to tell it by */
export async function papersToReview(
  assignment: AssignmentDoc,
  check: AccuracyCheckDoc,
  { limit, probability }: { limit: number; probability: number },
): Promise<ReviewBudget> {
  const answers = await classAnswers(assignment, marksOf(check))
  if (!check.finished_at || !answers.some(({ person }) => person !== undefined))
    throw new AppError('conflict', UNMARKED)
  const papers = [...Map.groupBy(answers, ({ submissionId }) => submissionId)].map(([id, own]) => ({
    id,
    answers: own,
  }))
  const approved = await approvedPapers(papers.map(({ id }) => id))
  return chooseReviewBudget(
    papers.map((paper) => ({ ...paper, approved: approved.has(paper.id) })),
    { limit, probability },
  )
}

const BATCH = 500

async function approvedPapers(ids: number[]): Promise<Set<number>> {
  const approved = new Set<number>()
  for (let i = 0; i < ids.length; i += BATCH)
    for (const { _id, grade } of await findSubmissions(ids.slice(i, i + BATCH)))
      if (grade?.reviewed_at) approved.add(_id)
  return approved
}
