import { MAX_ITEMS } from '@assay/shared/rubric-items.ts'
import { nextId } from '../../../lib/database/database.ts'
import { AppError, orNotFound } from '../../../lib/http/app-error.ts'
import type { AssignmentDoc } from '../../../records/assignments/assignment.model.ts'
import { type ItemContent, type RubricItemDoc, RubricItemModel } from '../../../records/grading/rubric-item.model.ts'

export type ItemsById = ReadonlyMap<number, RubricItemDoc>

const byId = (items: RubricItemDoc[]): ItemsById => new Map(items.map((item) => [item._id, item]))

export async function findItems(assignmentIds: number | number[], questionId?: string): Promise<ItemsById> {
  const filter = {
    assignment_id: { $in: [assignmentIds].flat() },
    ...(questionId === undefined ? {} : { question_id: questionId }),
  }
  return byId(await RubricItemModel.find(filter).sort({ position: 1, _id: 1 }).lean())
}

export const findItemsById = async (ids: number[]): Promise<ItemsById> =>
  ids.length === 0 ? new Map() : byId(await RubricItemModel.find({ _id: { $in: ids } }).lean())

export const findItemsOfCourse = (courseId: number): Promise<RubricItemDoc[]> =>
  RubricItemModel.find({ course_id: courseId, removed: false }).sort({ _id: -1 }).lean()

export const requireItem = (assignmentId: number, questionId: string, itemId: number): Promise<RubricItemDoc> =>
  orNotFound(
    RubricItemModel.findOne({
      _id: itemId,
      assignment_id: assignmentId,
      question_id: questionId,
      removed: false,
    }).lean(),
    'This item no longer exists. Reload the page.',
  )

export const findItem = (itemId: number): Promise<RubricItemDoc | null> => RubricItemModel.findById(itemId).lean()

export async function addItem(
  { _id, course_id }: Pick<AssignmentDoc, '_id' | 'course_id'>,
  item: Pick<RubricItemDoc, 'question_id' | 'criterion_id' | 'kind' | 'points' | 'text' | 'author_id'>,
  now: Date,
): Promise<RubricItemDoc> {
  const { question_id, criterion_id } = item
  const siblings = await RubricItemModel.find({ assignment_id: _id, question_id, criterion_id, removed: false }).lean()
  if (siblings.length >= MAX_ITEMS)
    throw new AppError('validation_failed', `A criterion has at most ${MAX_ITEMS} items. Remove one first.`)
  const added: RubricItemDoc = {
    _id: await nextId('rubric_items'),
    course_id,
    assignment_id: _id,
    ...item,
    removed: false,
    position: Math.max(0, ...siblings.map(({ position }) => position)) + 1,
    created_at: now,
    updated_at: now,
    revision: 1,
  }
  await RubricItemModel.create(added)
  return added
}

/** Idempotent. Null where another change came first. */
export async function storeItemContent(
  itemId: number,
  content: ItemContent,
  { revision, changeId, now }: { revision: number; changeId: number; now: Date },
): Promise<RubricItemDoc | null> {
  const { kind, points, text, removed } = content
  await RubricItemModel.updateOne(
    { _id: itemId, revision: revision - 1 },
    { $set: { kind, points, text, removed, revision, changed_by: changeId, updated_at: now } },
  )
  const item = await findItem(itemId)
  return item?.changed_by === changeId ? item : null
}

export const contentOf = ({ kind, points, text, removed }: ItemContent): ItemContent => ({
  kind,
  points,
  text,
  removed,
})
