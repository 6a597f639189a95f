import type { AccuracyResult, Agreement } from '@assay/shared/accuracy-checks.ts'
import type { GradeHistory } from '@assay/shared/grade-history.ts'
import type { Question } from '@assay/shared/rubrics.ts'
import { questionPoints } from '@assay/shared/rules/edited-rubric.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { estimateAgreement } from '../../grader/agreement/estimate-agreement.ts'
import { nextId } from '../../lib/database/database.ts'
import { AppError, invalidInput, notFound } from '../../lib/http/app-error.ts'
import type { Actor } from '../../lib/http/handle.ts'
import { shuffled } from '../../lib/seeded-random.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import {
  type AccuracyCheckDoc,
  AccuracyCheckModel,
  type SampledAnswer,
} from '../../records/grading/accuracy-check.model.ts'
import type { DecisionChange, PointsByCriterion } from '../../records/grading/question-change.model.ts'
import type { SubmissionDoc } from '../../records/submissions/submission.model.ts'
import type { AfterDecision } from '../questions/projection-job.ts'
import { findQuestionAnswers, suggestedShare } from '../questions/question.present.ts'
import { checkPoints, requireQuestion } from '../questions/question.service.ts'
import { decide } from '../questions/question-changes.ts'

const TOO_FEW = 'There are too few answers with a suggestion. Grade the papers first with “Process & Grade”.'
const ALL_DECIDED = 'People have given points to all answers but at most one, so there is no suggestion left to check.'
const REPLACED = 'A new check was started meanwhile. Reload the page.'

export const findCheck = (assignmentId: number): Promise<AccuracyCheckDoc | null> =>
  AccuracyCheckModel.findOne({ assignment_id: assignmentId }).sort({ _id: -1 }).lean()

/** @throws {AppError} `resource_not_found`; `conflict` where `id` is no longer the latest */
export async function requireCheck(assignmentId: number, id?: number): Promise<AccuracyCheckDoc> {
  const check = await findCheck(assignmentId)
  if (!check) throw notFound('There is no check of the grader for this assignment. Start one.')
  if (id !== undefined && check._id !== id) throw new AppError('conflict', REPLACED)
  return check
}

/** Replaces an earlier sample. @throws {AppError} `conflict` for fewer than two open suggestions */
export async function startCheck(
  assignment: AssignmentDoc,
  size: number,
  actor: Actor,
  now: Date,
): Promise<AccuracyCheckDoc> {
  const all = await suggestedAnswers(assignment)
  if (all.length < 2) throw new AppError('conflict', TOO_FEW)
  const undecided = all.filter(({ decided }) => !decided)
  if (undecided.length < 2) throw new AppError('conflict', ALL_DECIDED)
  const order = new Map(assignment.rubric?.questions.map(({ id }, i) => [id, i]))
  // By question, so that its rubric is read once; within one at random, so that the order reveals nothing.
  const sample = shuffled(undecided)
    .slice(0, size)
    .sort((a, b) => (order.get(a.question.id) ?? 0) - (order.get(b.question.id) ?? 0))
  const check: AccuracyCheckDoc = {
    _id: await nextId('accuracy_checks'),
    assignment_id: assignment._id,
    started_by: actor.id,
    started_at: now,
    finished_at: null,
    answers: sample.map(({ submissionId, question }) => ({
      submission_id: submissionId,
      question_id: question.id,
      points: null,
      skipped: false,
    })),
  }
  await AccuracyCheckModel.create(check)
  await recordAudit(actor, 'accuracy_check.started', { assignment_id: assignment._id }, now, {
    after: { check: check._id, answers: check.answers.length },
  })
  return check
}

export function requireSampled({ answers }: AccuracyCheckDoc, position: number): SampledAnswer {
  const sampled = answers[position - 1]
  if (!sampled) throw notFound('The sample has no such answer.')
  return sampled
}

/** @param points null skips the answer. @throws {AppError} `validation_failed` */
export async function markAnswer(
  assignment: AssignmentDoc,
  check: AccuracyCheckDoc,
  { position, points }: { position: number; points: PointsByCriterion | null },
  actor: Actor,
  now: Date,
): Promise<AccuracyCheckDoc> {
  const { question_id } = requireSampled(check, position)
  if (points) {
    const question = requireQuestion(assignment, question_id)
    checkPoints(question, points)
    const missing = question.criteria.find(({ id }) => points[id] === undefined)
    const enterAll = 'Enter points for every criterion, or skip this answer.'
    if (missing) throw invalidInput(['points', missing.id], enterAll, 'points')
  }
  const at = `answers.${position - 1}`
  await AccuracyCheckModel.updateOne(
    { _id: check._id },
    { $set: { [`${at}.points`]: points, [`${at}.skipped`]: points === null } },
  )
  const marked = await requireCheck(assignment._id, check._id)
  if (marked.finished_at || marked.answers.some(isOpen)) return marked
  await AccuracyCheckModel.updateOne({ _id: check._id, finished_at: null }, { $set: { finished_at: now } })
  await recordAudit(actor, 'accuracy_check.finished', { assignment_id: assignment._id }, now, {
    after: { check: check._id, marked: marked.answers.filter((one) => one.points !== null).length },
  })
  return { ...marked, finished_at: now }
}

export async function storeFirstResult({ _id }: AccuracyCheckDoc, { all, pairs }: AccuracyResult): Promise<void> {
  const suggested = Object.fromEntries(pairs.map((pair) => [String(pair.position), pair.suggested]))
  await AccuracyCheckModel.updateOne({ _id }, { $set: { first_result: { all, suggested } } })
}

export const isOpen = ({ points, skipped }: SampledAnswer): boolean => points === null && !skipped

/** One decision a question, so that it can be undone there. */
export async function applyMarks(
  assignment: AssignmentDoc,
  { answers }: AccuracyCheckDoc,
  actor: Actor,
  now: Date,
  afterDecision: AfterDecision,
): Promise<{ decided: number; left_alone: number }> {
  const marked = answers.filter(({ points }) => points !== null)
  let decided = 0
  for (const question of assignment.rubric?.questions ?? []) {
    const changes = marked
      .filter(({ question_id }) => question_id === question.id)
      .map(({ submission_id, points }): DecisionChange => ({ submission_id, before: null, after: points }))
    if (changes.length === 0) continue
    const outcome = await decide(assignment, question, changes, actor, now)
    decided += outcome.changed.length
    if (outcome.changed.length > 0) await afterDecision(assignment, question.id, outcome.change_id)
  }
  return { decided, left_alone: marked.length - decided }
}

export async function blindMarksOf({
  _id,
  assignment_id,
}: Pick<SubmissionDoc, '_id' | 'assignment_id'>): Promise<GradeHistory['blind_marks']> {
  const checks = await AccuracyCheckModel.find({ assignment_id }).sort({ _id: 1 }).lean()
  return checks.flatMap(({ _id: check_id, started_at, answers }) =>
    answers.flatMap(({ submission_id, question_id, points }) =>
      submission_id === _id && points ? [{ check_id, started_at: started_at.toISOString(), question_id, points }] : [],
    ),
  )
}

/** With fewer marks, a question has no figures of its own. */
const MARKS_OF_A_QUESTION = 3

export interface SuggestedAnswer {
  submissionId: number
  question: Question
  points: number
  /** Of the points, 0 to 1. */
  share: number
  /** 1 − confidence, 0 to 1. */
  expectedError: number
  decided: boolean
  /** What a person gave in the check, 0 to 1; null: not marked. */
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
