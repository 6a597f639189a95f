import { isDeepStrictEqual } from 'node:util'
import type { Question } from '@assay/shared/rubrics.ts'
import { type ItemizedCriterion, withChangedItem } from '@assay/shared/rules/item-points.ts'
import { withDatabaseLock } from '../../../lib/database/database-lock.ts'
import { AppError } from '../../../lib/http/app-error.ts'
import { createKeyedMutex } from '../../../lib/keyed-mutex.ts'
import type { AssignmentDoc } from '../../../records/assignments/assignment.model.ts'
import { type QuestionAnswerDoc, QuestionAnswerModel } from '../../../records/grading/question-answer.model.ts'
import {
  type ItemRevision,
  type QuestionChangeDoc,
  QuestionChangeModel,
} from '../../../records/grading/question-change.model.ts'
import type { ItemContent, RubricItemDoc } from '../../../records/grading/rubric-item.model.ts'
import { releaseAgain } from '../../grades/decide-criteria.ts'
import {
  contentOf,
  findItem,
  findItems,
  type ItemsById,
  requireItem,
  storeItemContent,
} from '../../grades/rubric-items/rubric-item.service.ts'
import { isBeingGraded } from '../../submissions/submission-grades.ts'
import { type AppliedChange, applyDecision, projectAnswers } from '../answer-projection.ts'

export const ITEM_CONFLICT = 'Somebody else has changed this item. Look at it as it is now, then change it again.'

type ItemChangeDoc = Extract<QuestionChangeDoc, { kind: 'item' }>

/** Returns the effect on the answers that have it. @throws {AppError} `conflict` while one is being graded */
export async function planItemRevision(
  assignment: AssignmentDoc,
  question: Question,
  item: ItemRevision,
): Promise<Pick<ItemChangeDoc, 'kind' | 'changes' | 'item'>> {
  const answers = await answersWith(assignment, question, item.id)
  // A run stores its grade with the points it began with.
  if (await isBeingGraded(answers.map(({ submission_id }) => submission_id)))
    throw new AppError('conflict', 'Papers with this item are being graded now. Change it when they are done.')
  const items = await findItems(assignment._id, question.id)
  return { kind: 'item', item, changes: answers.flatMap((answer) => changeOf(answer, item, items) ?? []) }
}

/** @throws {AppError} `conflict` where the item was changed since, or an answer is being graded */
export async function planItemUndo(
  assignment: AssignmentDoc,
  question: Question,
  { id, before, after }: ItemRevision,
): ReturnType<typeof planItemRevision> {
  const item = await findItem(id)
  if (!item || !isDeepStrictEqual(contentOf(item), contentOf(after)))
    throw new AppError('conflict', 'This item has been changed since. Change it by hand.')
  return planItemRevision(assignment, question, { id, before: after, after: before, revision: item.revision + 1 })
}

async function answersWith(assignment: AssignmentDoc, question: Question, itemId: number, submissionIds?: number[]) {
  await projectAnswers(assignment)
  const some = submissionIds ? { submission_id: { $in: submissionIds } } : {}
  const filter = { item_ids: itemId, assignment_id: assignment._id, question_id: question.id, ...some }
  return QuestionAnswerModel.find(filter).sort({ submission_id: 1 }).lean()
}

function changeOf(answer: QuestionAnswerDoc, { id, before, after }: ItemRevision, items: ItemsById) {
  const criterionId = items.get(id)?.criterion_id ?? ''
  const most = answer.criteria.find((criterion) => criterion.id === criterionId)?.max
  if (most === undefined) return null
  const applied = answer.item_ids ?? []
  const contents = (changed: ItemContent): ItemContent[] =>
    applied
      .flatMap(
        (one) => (one === id ? changed : items.get(one)?.criterion_id === criterionId ? items.get(one) : null) ?? [],
      )
      .filter(({ removed }) => !removed)
  const { [criterionId]: points, ...others } = answer.decided ?? {}
  const { [criterionId]: adjustment, ...rest } = answer.adjustments ?? {}
  const was: ItemizedCriterion<ItemContent> = { items: contents(before), points, adjustment }
  const now = withChangedItem(was, contents(after), most)
  if (now.points === points && now.adjustment === adjustment) return null
  const decided = now.points === undefined ? others : { ...others, [criterionId]: now.points }
  const adjustments = now.adjustment === undefined ? rest : { ...rest, [criterionId]: now.adjustment }
  return {
    submission_id: answer.submission_id,
    before: answer.decided,
    after: Object.keys(decided).length > 0 ? decided : null,
    items: {
      before: { items: applied, adjustments: answer.adjustments ?? {} },
      after: { items: applied, adjustments },
    },
  }
}

/** Answers decided at the same moment are fewer each time. */
const MAX_ROUNDS = 5

/** Points decided meanwhile move along. @throws {AppError} `conflict` if another change of the item came first */
export async function applyItemRevision(
  assignment: AssignmentDoc,
  question: Question,
  change: ItemChangeDoc,
  replays: boolean,
): Promise<AppliedChange> {
  const { id, after, revision } = change.item
  const stored = await storeItemContent(id, after, { revision, changeId: change._id, now: change.at })
  if (!stored) {
    await QuestionChangeModel.deleteOne({ _id: change._id })
    throw new AppError('conflict', ITEM_CONFLICT)
  }
  const changed: number[] = []
  let outcome = await applyDecision(assignment, question, change.changes, { change, replays })
  changed.push(...outcome.changed)
  for (let round = 1; outcome.conflicts.length > 0 && round < MAX_ROUNDS; round++) {
    const answers = await answersWith(assignment, question, id, outcome.conflicts)
    const items = await findItems(assignment._id, question.id)
    const again = answers.flatMap((answer) => changeOf(answer, change.item, items) ?? [])
    outcome = await applyDecision(assignment, question, again, { change, replays: false })
    changed.push(...outcome.changed)
  }
  if (assignment.status === 'published') {
    const having = (await answersWith(assignment, question, id)).map(({ submission_id }) => submission_id)
    await releaseAgain(assignment, having, change.at)
  }
  return { ...outcome, changed }
}

/** @throws {AppError} `resource_not_found`; `conflict` where the item has another revision */
export async function requireItemRevision(
  { assignmentId, questionId, itemId }: { assignmentId: number; questionId: string; itemId: number },
  revision: number,
): Promise<RubricItemDoc> {
  const item = await requireItem(assignmentId, questionId, itemId)
  if (item.revision !== revision) throw new AppError('conflict', ITEM_CONFLICT)
  return item
}

const inThisProcess = createKeyedMutex()

/** An item's points must not change while it is given to answers. */
export function inTurn<T>(assignment: { _id: number }, question: { id: string }, work: () => Promise<T>): Promise<T> {
  const key = `items/${assignment._id}/${question.id}`
  return inThisProcess(key, () => withDatabaseLock(key, work))
}
