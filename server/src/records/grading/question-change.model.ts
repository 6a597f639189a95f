import mongoose from 'mongoose'
import type { ItemContent } from './rubric-item.model.ts'

/** What was changed of one answer: people's points before and after, or its manual group. Null: none. */
export interface AnswerChange<T> {
  submission_id: number
  before: T | null
  after: T | null
}

export type PointsByCriterion = Record<string, number>

/** The rubric items that an answer has, and the points typed beyond theirs, by criterion. */
export interface AppliedItems {
  items: number[]
  adjustments: Record<string, number>
}

/** `items`: where the answer's rubric items change as well. Absent: they stay. */
export type DecisionChange = AnswerChange<PointsByCriterion> & {
  items?: { before: AppliedItems; after: AppliedItems }
}

interface ChangeOf<K extends string, C> {
  kind: K
  changes: C[]
}

/** An item's new content, which reaches every answer that has the item. */
export interface ItemRevision {
  id: number
  before: ItemContent
  after: ItemContent
  /** The item's, once it is changed. */
  revision: number
}

/**
 * What somebody did to many answers of a question at once. It is stored before any answer is changed: a process that dies in between
 * completes it when it starts again, so that a group is decided as a whole or not at all.
 */
export type QuestionChangeDoc = {
  _id: number
  assignment_id: number
  question_id: string
  actor_id: number
  actor_role: string
  session_id: string
  state: 'applying' | 'applied' | 'undone'
  /** The change that this one takes back. Absent: none. */
  undoes?: number
  at: Date
  /** Which process applies it. Absent in changes of versions before there could be several. */
  process?: string
} & (
  | ChangeOf<'decision', DecisionChange>
  | ChangeOf<'grouping', AnswerChange<string>>
  | (ChangeOf<'item', DecisionChange> & { item: ItemRevision })
)

const changeSchema = new mongoose.Schema<QuestionChangeDoc>(
  {
    _id: Number,
    assignment_id: { type: Number, required: true },
    question_id: { type: String, required: true },
    actor_id: { type: Number, required: true },
    actor_role: { type: String, required: true },
    session_id: { type: String, required: true },
    state: { type: String, required: true },
    undoes: Number,
    at: { type: Date, required: true },
    process: String,
    kind: { type: String, required: true },
    changes: { type: mongoose.Schema.Types.Mixed, required: true },
    item: mongoose.Schema.Types.Mixed,
  },
  { versionKey: false, minimize: false },
)
changeSchema.index({ assignment_id: 1, question_id: 1, actor_id: 1, _id: -1 })
changeSchema.index({ state: 1 })
export const QuestionChangeModel = mongoose.model('QuestionChange', changeSchema, 'question_changes')
