import type { BodyOf } from '@assay/shared/http/endpoint.ts'
import type { DecisionResult, decideAnswers } from '@assay/shared/questions.ts'
import type { Question } from '@assay/shared/rubrics.ts'
import { invalidInput } from '../../lib/http/app-error.ts'
import type { Actor } from '../../lib/http/handle.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import { type QuestionAnswerDoc, QuestionAnswerModel } from '../../records/grading/question-answer.model.ts'
import type { DecisionChange, PointsByCriterion } from '../../records/grading/question-change.model.ts'
import { findItems, type ItemsById } from '../rubric-items/rubric-item.service.ts'
import { projectAnswers, questionAnswerId } from './answer-projection.ts'
import { nameOf } from './question.present.ts'
import { namesOfPeople } from './question.service.ts'
import { type ChangeOutcome, decide } from './question-changes.ts'

type Decision = BodyOf<typeof decideAnswers>

/** @throws {AppError} `validation_failed` for points a criterion cannot earn */
export async function decideQuestion(
  assignment: AssignmentDoc,
  question: Question,
  { answers, points }: Decision,
  actor: Actor,
  now: Date,
): Promise<ChangeOutcome> {
  if (points !== null && points !== 'suggested') checkPoints(question, points)
  await projectAnswers(assignment)
  const seen = new Map(answers.map(({ submission_id, decided }) => [submission_id, decided]))
  const projected = await QuestionAnswerModel.find({
    _id: { $in: [...seen.keys()].map((id) => questionAnswerId(id, question.id)) },
    assignment_id: assignment._id,
  }).lean()
  const items = points === null ? await findItems(assignment._id, question.id) : null
  const changes = projected.map((answer): DecisionChange => {
    const before = seen.get(answer.submission_id) ?? null
    const after = pointsAfter(answer, before, points)
    return { submission_id: answer.submission_id, before, after, ...(items ? withoutItems(answer, items) : {}) }
  })
  const outcome = await decide(assignment, question, changes, actor, now)
  const known = new Set(projected.map(({ submission_id }) => submission_id))
  return { ...outcome, unavailable: [...outcome.unavailable, ...[...seen.keys()].filter((id) => !known.has(id))] }
}

/** Withdrawing points removes the items that count; comments stay. */
function withoutItems({ item_ids = [], adjustments = {} }: QuestionAnswerDoc, items: ItemsById) {
  const comments = item_ids.filter((id) => items.get(id)?.kind === 'comment')
  if (comments.length === item_ids.length) return {}
  return { items: { before: { items: item_ids, adjustments }, after: { items: comments, adjustments: {} } } }
}

/** @throws {AppError} `validation_failed` for points a criterion of the question cannot earn */
export function checkPoints({ criteria }: Question, points: PointsByCriterion): void {
  const most = new Map(criteria.map((criterion) => [criterion.id, criterion.points]))
  for (const [id, given] of Object.entries(points)) {
    const max = most.get(id)
    const msg =
      max === undefined ? 'This question no longer has this criterion. Reload the page.' : `At most ${max} points`
    if (max === undefined || given > max) throw invalidInput(['points', id], msg, 'points')
  }
}

function pointsAfter(
  { criteria }: QuestionAnswerDoc,
  before: PointsByCriterion | null,
  points: Decision['points'],
): PointsByCriterion | null {
  if (points === null) return null
  if (points !== 'suggested') return { ...before, ...points }
  const suggested = criteria.flatMap(({ id, score }) => (score === null ? [] : [[id, score] as const]))
  // Accepting is for what nobody has decided: a person's points stay.
  return suggested.length === 0 ? before : { ...Object.fromEntries(suggested), ...before }
}

/** With what others decided, where they came first. */
export async function presentOutcome(question: Question, outcome: ChangeOutcome): Promise<DecisionResult> {
  const { change_id, changed, conflicts, unavailable } = outcome
  const theirs = await QuestionAnswerModel.find({
    _id: { $in: conflicts.map((id) => questionAnswerId(id, question.id)) },
  }).lean()
  const people = await namesOfPeople(theirs)
  return {
    change_id,
    changed,
    conflicts: theirs.map(({ submission_id, decided, decided_by, item_ids = [] }) => ({
      submission_id,
      decided,
      decided_by: nameOf(decided_by, people),
      ...(item_ids.length > 0 ? { items: item_ids } : {}),
    })),
    unavailable,
  }
}
