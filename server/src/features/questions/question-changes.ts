import { isDeepStrictEqual } from 'node:util'
import type { Question } from '@assay/shared/rubrics.ts'
import { abandonedOf, currentProcessId } from '../../cluster/processes/processes.ts'
import { nextId } from '../../lib/database/database.ts'
import { AppError, notFound } from '../../lib/http/app-error.ts'
import type { Actor } from '../../lib/http/handle.ts'
import type { BackgroundWork } from '../../lib/jobs/job.ts'
import type { Log } from '../../lib/log.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import { QuestionAnswerModel } from '../../records/grading/question-answer.model.ts'
import {
  type AnswerChange,
  type DecisionChange,
  type QuestionChangeDoc,
  QuestionChangeModel,
} from '../../records/grading/question-change.model.ts'
import type { Services } from '../../services.ts'
import { findAssignment } from '../assignments/assignment.service.ts'
import {
  type AppliedChange,
  applyDecision,
  applyGrouping,
  projectAnswers,
  questionAnswerId,
} from './answer-projection.ts'
import { applyItemRevision, inTurn, planItemUndo } from './rubric-items/item-revision.ts'

export interface ChangeOutcome extends AppliedChange {
  change_id: number | null
}

type Own<T> = T extends unknown ? Pick<T, Extract<keyof T, 'kind' | 'changes' | 'undoes' | 'item'>> : never
export type NewChange = Own<QuestionChangeDoc>

export const reserveChangeId = (): Promise<number> => nextId('question_changes')

export async function applyNew(
  assignment: AssignmentDoc,
  question: Question,
  change: NewChange,
  actor: Actor,
  at: Date,
  id?: number,
): Promise<ChangeOutcome> {
  const stored = {
    _id: id ?? (await reserveChangeId()),
    assignment_id: assignment._id,
    question_id: question.id,
    actor_id: actor.id,
    actor_role: actor.role,
    session_id: actor.sessionId,
    state: 'applying',
    at,
    process: currentProcessId(),
    ...change,
  } as QuestionChangeDoc
  await QuestionChangeModel.create(stored)
  return apply(assignment, question, stored, false)
}

async function apply(assignment: AssignmentDoc, question: Question, change: QuestionChangeDoc, replays: boolean) {
  const outcome = await applyKind(assignment, question, change, replays)
  const changed = new Set(outcome.changed)
  const applied = ([...change.changes] as AnswerChange<unknown>[]).filter(({ submission_id }) =>
    changed.has(submission_id),
  )
  const { _id, undoes } = change
  const state = undoes === undefined ? 'applied' : 'undone'
  await QuestionChangeModel.updateOne({ _id }, { $set: { state, changes: applied } })
  // Undoing only goes further back.
  if (undoes !== undefined) await QuestionChangeModel.updateOne({ _id: undoes }, { $set: { state } })
  // In the order given, as papers stored at a second try come last.
  const ids = applied.map(({ submission_id }) => submission_id)
  return { change_id: ids.length > 0 ? change._id : null, ...outcome, changed: ids }
}

function applyKind(assignment: AssignmentDoc, question: Question, change: QuestionChangeDoc, replays: boolean) {
  if (change.kind === 'grouping') return applyGrouping(question, change.changes)
  if (change.kind === 'item') return applyItemRevision(assignment, question, change, replays)
  return applyDecision(assignment, question, change.changes, { change, replays })
}

export function decide(
  assignment: AssignmentDoc,
  question: Question,
  changes: DecisionChange[],
  actor: Actor,
  at: Date,
): Promise<ChangeOutcome> {
  const real = changes.filter(
    ({ before, after, items }) =>
      !isDeepStrictEqual(before ?? {}, after ?? {}) || !isDeepStrictEqual(items?.before, items?.after),
  )
  if (real.length === 0) return Promise.resolve({ change_id: null, changed: [], conflicts: [], unavailable: [] })
  return applyNew(assignment, question, { kind: 'decision', changes: real }, actor, at)
}

/** Under a reserved id: an earlier attempt's decision is completed or only reported. */
export async function decideOnce(
  id: number,
  assignment: AssignmentDoc,
  question: Question,
  changes: DecisionChange[],
  actor: Actor,
  at: Date,
): Promise<ChangeOutcome> {
  const known = await QuestionChangeModel.findById(id).lean()
  if (known?.state === 'applying') return apply(assignment, question, known, true)
  if (known) {
    const changed = known.changes.map(({ submission_id }) => submission_id)
    return { change_id: id, changed, conflicts: [], unavailable: [] }
  }
  if (changes.length === 0) return { change_id: null, changed: [], conflicts: [], unavailable: [] }
  return applyNew(assignment, question, { kind: 'decision', changes }, actor, at, id)
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
    $or: [{ 'changes.0': { $exists: true } }, { kind: 'item' }],
  })
    .sort({ _id: -1 })
    .lean()
}

/** Except answers changed since. @throws {AppError} `resource_not_found` unless one's own; `conflict` if undone */
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
  const outcome = await applyNew(assignment, question, await reversed(assignment, question, change), actor, now)
  return { ...outcome, change_id: null }
}

/** Idempotent, skips answers changed since. Returns papers with their earlier points. */
export async function undoOnce(
  id: number,
  changeId: number,
  assignment: AssignmentDoc,
  question: Question,
  actor: Actor,
  at: Date,
): Promise<number[]> {
  const known = await QuestionChangeModel.findById(id).lean()
  if (known?.state === 'applying') return (await apply(assignment, question, known, true)).changed
  if (known) return known.changes.map(({ submission_id }) => submission_id)
  const change = await QuestionChangeModel.findById(changeId).lean()
  if (change?.state !== 'applied') return []
  return (await applyNew(assignment, question, await reversed(assignment, question, change), actor, at, id)).changed
}

async function reversed(assignment: AssignmentDoc, question: Question, change: QuestionChangeDoc): Promise<NewChange> {
  const undoes = change._id
  if (change.kind === 'grouping') return { kind: 'grouping', undoes, changes: change.changes.map(reversedAnswer) }
  if (change.kind === 'decision')
    return {
      kind: 'decision',
      undoes,
      changes: change.changes.map(({ items, ...one }) => ({
        ...reversedAnswer(one),
        ...(items ? { items: { before: items.after, after: items.before } } : {}),
      })),
    }
  // Later decisions on these answers included the item.
  return { ...(await planItemUndo(assignment, question, change.item)), undoes }
}

const reversedAnswer = <T>({ submission_id, before, after }: AnswerChange<T>): AnswerChange<T> => ({
  submission_id,
  before: after,
  after: before,
})

export const questionChanges = (
  { log }: Pick<Services, 'log'>,
  carryDecisions: (assignment: AssignmentDoc, questionId: string) => Promise<void>,
): BackgroundWork => ({
  jobs: [],
  async resume() {
    const completed = await completeInterruptedChanges(log)
    for (const { assignment, questionId } of completed) await carryDecisions(assignment, questionId)
    if (completed.length > 0) log.info({ changes: completed.length }, 'completed decisions that were interrupted')
  },
})

export async function completeInterruptedChanges(
  log: Pick<Log, 'error'>,
): Promise<{ assignment: AssignmentDoc; questionId: string }[]> {
  const applying = await QuestionChangeModel.find({ state: 'applying' }).sort({ _id: 1 }).lean()
  const interrupted = await abandonedOf(applying, (change) => change.process)
  const completed: { assignment: AssignmentDoc; questionId: string }[] = []
  for (const change of interrupted) {
    try {
      const assignment = await findAssignment(change.assignment_id)
      const question = assignment?.rubric?.questions.find(({ id }) => id === change.question_id)
      if (assignment && question) {
        const again = () => apply(assignment, question, change, true)
        await ('item' in change ? inTurn(assignment, question, again) : again())
        completed.push({ assignment, questionId: question.id })
      } else await QuestionChangeModel.deleteOne({ _id: change._id })
    } catch (error) {
      log.error({ err: error, change: change._id }, 'an interrupted decision could not be completed')
    }
  }
  return completed
}
