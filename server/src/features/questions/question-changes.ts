import { isDeepStrictEqual } from 'node:util'
import type { Question } from '@assay/shared/rubrics.ts'
import { nextId } from '../../lib/database/database.ts'
import { AppError, notFound } from '../../lib/http/app-error.ts'
import type { Actor } from '../../lib/http/handle.ts'
import type { Log } from '../../lib/log.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import { AnswerProjectionModel, QuestionAnswerModel } from '../../records/grading/question-answer.model.ts'
import {
  type AnswerChange,
  type PointsByCriterion,
  type QuestionChangeDoc,
  QuestionChangeModel,
} from '../../records/grading/question-change.model.ts'
import { findAssignment } from '../assignments/assignment.service.ts'
import { decideCriteria } from '../grades/decide-criteria.ts'
import { projectAnswers, projectDecision, questionAnswerId } from './answer-projection.ts'

/** What became of a change, by the papers' ids. */
export interface ChangeOutcome {
  change_id: number | null
  changed: number[]
  conflicts: number[]
  unavailable: number[]
}

type NewChange = Pick<QuestionChangeDoc, 'kind' | 'changes' | 'undoes'>

/** Stores the change, then applies it: once stored, it is completed even if this process dies. */
async function applyNew(
  assignment: AssignmentDoc,
  question: Question,
  change: NewChange,
  actor: Actor,
  at: Date,
): Promise<ChangeOutcome> {
  const stored = {
    _id: await nextId('question_changes'),
    assignment_id: assignment._id,
    question_id: question.id,
    actor_id: actor.id,
    actor_role: actor.role,
    session_id: actor.sessionId,
    state: 'applying',
    at,
    ...change,
  } as QuestionChangeDoc
  await QuestionChangeModel.create(stored)
  return apply(assignment, question, stored, false)
}

async function apply(
  assignment: AssignmentDoc,
  question: Question,
  change: QuestionChangeDoc,
  replays: boolean,
): Promise<ChangeOutcome> {
  const outcome =
    change.kind === 'decision'
      ? await applyDecision(assignment, question, change.changes, { change, replays })
      : await applyGrouping(question, change.changes)
  const changed = new Set(outcome.changed)
  const applied = (change.changes as AnswerChange<unknown>[]).filter(({ submission_id }) => changed.has(submission_id))
  const { _id, undoes } = change
  const state = undoes === undefined ? 'applied' : 'undone'
  await QuestionChangeModel.updateOne({ _id }, { $set: { state, changes: applied } })
  // Undoing goes back further each time, never forth again: neither of the two can be undone any more.
  if (undoes !== undefined) await QuestionChangeModel.updateOne({ _id: undoes }, { $set: { state } })
  // In the order they were asked for: papers that were stored at a second try come last.
  const ids = applied.map(({ submission_id }) => submission_id)
  return { change_id: ids.length > 0 ? change._id : null, ...outcome, changed: ids }
}

type Outcome = Omit<ChangeOutcome, 'change_id'>

async function applyDecision(
  assignment: AssignmentDoc,
  question: Question,
  changes: AnswerChange<PointsByCriterion>[],
  { change, replays }: { change: QuestionChangeDoc; replays: boolean },
): Promise<Outcome> {
  const { actor_id, actor_role, session_id, at } = change
  const actor = { id: actor_id, role: actor_role, sessionId: session_id } as Actor
  const criteria = new Set(question.criteria.map(({ id }) => id))
  const { changed, conflicts, unavailable } = await decideCriteria(assignment, criteria, changes, {
    actor,
    now: at,
    replays,
  })
  if (changed.length > 0)
    await QuestionAnswerModel.bulkWrite(
      changed.flatMap(({ _id, grade }) =>
        grade
          ? [
              {
                updateOne: {
                  filter: { _id: questionAnswerId(_id, question.id), grade_id: grade.id },
                  update: { $set: projectDecision(grade, question) },
                },
              },
            ]
          : [],
      ),
      { ordered: false },
    )
  return { changed: changed.map(({ _id }) => _id), conflicts, unavailable }
}

async function applyGrouping(question: Question, changes: AnswerChange<string>[]): Promise<Outcome> {
  await QuestionAnswerModel.bulkWrite(
    changes.map(({ submission_id, after }) => ({
      updateOne: {
        filter: { _id: questionAnswerId(submission_id, question.id) },
        update: { $set: { manual_group: after } },
      },
    })),
    { ordered: false },
  )
  return { changed: changes.map(({ submission_id }) => submission_id), conflicts: [], unavailable: [] }
}

/**
 * Gives each answer its `after`, while it still has its `before`.
 */
export function decide(
  assignment: AssignmentDoc,
  question: Question,
  changes: AnswerChange<PointsByCriterion>[],
  actor: Actor,
  at: Date,
): Promise<ChangeOutcome> {
  const real = changes.filter(({ before, after }) => !isDeepStrictEqual(before ?? {}, after ?? {}))
  if (real.length === 0) return Promise.resolve({ change_id: null, changed: [], conflicts: [], unavailable: [] })
  return applyNew(assignment, question, { kind: 'decision', changes: real }, actor, at)
}

export async function regroup(
  assignment: AssignmentDoc,
  question: Question,
  submissionIds: number[],
  actor: Actor,
  at: Date,
): Promise<{ change_id: number; group_id: string }> {
  await projectAnswers(assignment)
  const ids = submissionIds.map((id) => questionAnswerId(id, question.id))
  const answers = await QuestionAnswerModel.find(
    { _id: { $in: ids }, assignment_id: assignment._id },
    { submission_id: 1, manual_group: 1 },
  ).lean()
  if (answers.length < new Set(ids).size) throw notFound('Some of these answers no longer exist. Reload the page.')
  const group_id = `manual-${await nextId('answer_groups')}`
  const changes = answers.map(({ submission_id, manual_group = null }) => ({
    submission_id,
    before: manual_group,
    after: group_id,
  }))
  const { change_id } = await applyNew(assignment, question, { kind: 'grouping', changes }, actor, at)
  if (change_id === null) throw new Error('every answer is changed')
  return { change_id, group_id }
}

/** The latest change of an author's that is not undone. */
export function findUndoable(
  assignmentId: number,
  questionId: string,
  actorId: number,
): Promise<QuestionChangeDoc | null> {
  return QuestionChangeModel.findOne({
    assignment_id: assignmentId,
    question_id: questionId,
    actor_id: actorId,
    state: 'applied',
    'changes.0': { $exists: true },
  })
    .sort({ _id: -1 })
    .lean()
}

/**
 * Takes one's own change back, except where somebody has changed the answer since.
 * @throws {AppError} `resource_not_found` for a change that is somebody else's or none; `conflict` for one that is undone already
 */
export async function undo(
  assignment: AssignmentDoc,
  question: Question,
  changeId: number,
  actor: Actor,
  now: Date,
): Promise<ChangeOutcome> {
  const change = await QuestionChangeModel.findOne({
    _id: changeId,
    assignment_id: assignment._id,
    question_id: question.id,
    actor_id: actor.id,
  }).lean()
  if (!change) throw notFound('There is no such change of yours.')
  if (change.state !== 'applied') throw new AppError('conflict', 'This change has been undone already.')
  const outcome =
    change.kind === 'decision'
      ? await applyNew(
          assignment,
          question,
          { ...reversed(change.changes), kind: 'decision', undoes: changeId },
          actor,
          now,
        )
      : await applyNew(
          assignment,
          question,
          { ...reversed(change.changes), kind: 'grouping', undoes: changeId },
          actor,
          now,
        )
  return { ...outcome, change_id: null }
}

const reversed = <T>(changes: AnswerChange<T>[]) => ({
  changes: changes.map(({ submission_id, before, after }) => ({ submission_id, before: after, after: before })),
})

/** Completes what an earlier process had begun; returns what it was about. One that fails is left for the next start. */
export async function completeInterruptedChanges(
  log: Pick<Log, 'error'>,
): Promise<{ assignment: AssignmentDoc; questionId: string }[]> {
  const interrupted = await QuestionChangeModel.find({ state: 'applying' }).sort({ _id: 1 }).lean()
  const completed: { assignment: AssignmentDoc; questionId: string }[] = []
  for (const change of interrupted) {
    try {
      const assignment = await findAssignment(change.assignment_id)
      const question = assignment?.rubric?.questions.find(({ id }) => id === change.question_id)
      if (assignment && question) {
        await apply(assignment, question, change, true)
        completed.push({ assignment, questionId: question.id })
      } else await QuestionChangeModel.deleteOne({ _id: change._id })
    } catch (error) {
      log.error({ err: error, change: change._id }, 'an interrupted decision could not be completed')
    }
  }
  return completed
}

/** With an assignment. */
export async function deleteQuestionChanges(assignmentId: number): Promise<void> {
  await QuestionChangeModel.deleteMany({ assignment_id: assignmentId })
  await AnswerProjectionModel.deleteOne({ _id: assignmentId })
}
