import type { AccuracyResult } from '@assay/shared/accuracy-checks.ts'
import type { GradeHistory } from '@assay/shared/grade-history.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { nextId } from '../../lib/database/database.ts'
import { AppError, invalidInput, notFound } from '../../lib/http/app-error.ts'
import type { Actor } from '../../lib/http/handle.ts'
import { shuffled } from '../../lib/shuffled.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import {
  type AccuracyCheckDoc,
  AccuracyCheckModel,
  type SampledAnswer,
} from '../../records/grading/accuracy-check.model.ts'
import type { DecisionChange, PointsByCriterion } from '../../records/grading/question-change.model.ts'
import type { SubmissionDoc } from '../../records/submissions/submission.model.ts'
import type { AfterDecision } from '../questions/after-decision.ts'
import { checkPoints } from '../questions/decide-answers.ts'
import { requireQuestion } from '../questions/question.service.ts'
import { decide } from '../questions/question-changes.ts'
import { suggestedAnswers } from './accuracy-result.ts'

const TOO_FEW = 'There are too few answers with a suggestion. Grade the papers first with “Process & Grade”.'
const ALL_DECIDED = 'People have given points to all answers but at most one, so there is no suggestion left to check.'
const REPLACED = 'A new check was started meanwhile. Reload the page.'

export function findCheck(assignmentId: number): Promise<AccuracyCheckDoc | null> {
  return AccuracyCheckModel.findOne({ assignment_id: assignmentId }).sort({ _id: -1 }).lean()
}

/** @throws {AppError} `resource_not_found` without one; `conflict` where `id` is not the latest any more */
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
  // By question, so that its rubric is read once; within a question at random, so that the order reveals nothing.
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

/** @param position 1 for the first */
export function requireSampled({ answers }: AccuracyCheckDoc, position: number): SampledAnswer {
  const sampled = answers[position - 1]
  if (!sampled) throw notFound('The sample has no such answer.')
  return sampled
}

/** @param points null skips the answer. @throws {AppError} `validation_failed` for impossible or missing points */
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

/** One decision a question, so that it can be undone there. What people decided stays. */
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

/** The oldest check first. */
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
