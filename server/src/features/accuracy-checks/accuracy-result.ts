import type { AccuracyResult, Agreement } from '@assay/shared/accuracy-checks.ts'
import type { Question } from '@assay/shared/rubrics.ts'
import { questionPoints } from '@assay/shared/rules/edited-rubric.ts'
import { estimateAgreement } from '../../grader/agreement/estimate-agreement.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { AccuracyCheckDoc } from '../../records/grading/accuracy-check.model.ts'
import type { PointsByCriterion } from '../../records/grading/question-change.model.ts'
import { findQuestionAnswers, suggestedShare } from '../questions/question-answers.ts'

/** With fewer marks, a question has no figures of its own. */
const MARKS_OF_A_QUESTION = 3

export interface SuggestedAnswer {
  submissionId: number
  question: Question
  points: number
  /** Suggested, as a share of the points. */
  share: number
  /** As a share of the points: 1 − confidence. */
  expectedError: number
  /** People gave points for each of its criteria. */
  decided: boolean
  /** The share a person gave in the check, and the answer's place in its sample. Null: not marked. */
  mark: { share: number; position: number } | null
}

export type MarkedAnswer = SuggestedAnswer & { mark: object }
export const isMarked = (answer: SuggestedAnswer): answer is MarkedAnswer => answer.mark !== null

export async function suggestedAnswers(
  assignment: AssignmentDoc,
  check: AccuracyCheckDoc | null = null,
): Promise<SuggestedAnswer[]> {
  const key = (submissionId: number, questionId: string) => `${submissionId}/${questionId}`
  const sample = new Map(
    check?.answers.map((one, i) => [key(one.submission_id, one.question_id), { ...one, position: i + 1 }]),
  )
  const all: SuggestedAnswer[] = []
  // One after another, as they may be many.
  for (const question of assignment.rubric?.questions ?? []) {
    const points = questionPoints(question)
    const { answers } = await findQuestionAnswers(assignment, question)
    for (const { submission_id, criteria, complete } of answers) {
      const share = suggestedShare({ criteria })
      if (share === null || points <= 0) continue
      const most = criteria.reduce((sum, { max }) => sum + max, 0)
      const sure = criteria.reduce((sum, { confidence, max }) => sum + confidence * max, 0)
      const sampled = sample.get(key(submission_id, question.id))
      const marked = sampled?.points ? markedShare(question, sampled.points) : null
      all.push({
        submissionId: submission_id,
        question,
        points,
        share,
        expectedError: most > 0 ? 1 - sure / most : 1,
        decided: complete,
        mark: sampled && marked !== null ? { share: marked, position: sampled.position } : null,
      })
    }
  }
  return all
}

/** Null when the question no longer has the marked criteria. */
function markedShare(question: Question, marked: PointsByCriterion): number | null {
  const fits = question.criteria.every(({ id, points }) => (marked[id] ?? Number.POSITIVE_INFINITY) <= points)
  const given = question.criteria.reduce((sum, { id }) => sum + (marked[id] ?? 0), 0)
  return fits && Object.keys(marked).length === question.criteria.length ? given / questionPoints(question) : null
}

export function presentResult(check: AccuracyCheckDoc, suggested: SuggestedAnswer[]): AccuracyResult | null {
  // The sample was drawn from undecided answers, so it says something about those alone.
  const answers = suggested.filter((answer) => !answer.decided || isMarked(answer))
  const marked = answers.filter(isMarked)
  if (marked.length === 0) return null
  const pairs = marked
    .map(({ question: { number }, points, share, mark }) => ({
      position: mark.position,
      number,
      of: points,
      marked: mark.share * points,
      suggested: share * points,
    }))
    .sort((a, b) => a.position - b.position)
  return {
    answers: answers.length,
    marked: marked.length,
    left_out: check.answers.filter(({ points }) => points !== null).length - marked.length,
    all: agreementOn(answers),
    questions: [...Map.groupBy(answers, ({ question }) => question)].flatMap(([{ id, number }, own]) => {
      const count = own.filter(isMarked).length
      if (count < MARKS_OF_A_QUESTION) return []
      return [{ question_id: id, number, marked: count, agreement: agreementOn(own) }]
    }),
    earlier: earlierResult(check, pairs),
    decided: marked.filter(({ decided }) => decided).length,
    pairs,
  }
}

function agreementOn(answers: SuggestedAnswer[]): Agreement {
  const marked = answers.filter(isMarked)
  const pairs = marked.map(({ share, mark, points }) => ({
    grader: share,
    person: mark.share,
    // One point, or half of it where there is only one.
    level: (points > 1 ? 1 : 0.5) / points,
  }))
  return estimateAgreement(pairs, marked.length < answers.length)
}

function earlierResult({ first_result }: AccuracyCheckDoc, pairs: AccuracyResult['pairs']): AccuracyResult['earlier'] {
  if (!first_result) return null
  const now = new Map(pairs.map(({ position, suggested }) => [String(position), suggested]))
  const isSame = (a: number, b: number | undefined) => b !== undefined && Math.abs(a - b) < 1e-9
  const changed = Object.entries(first_result.suggested).filter(([at, before]) => !isSame(before, now.get(at))).length
  return changed > 0 ? { all: first_result.all, changed } : null
}
