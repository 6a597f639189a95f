import { defineModel, defineSchema, Mixed } from '../../lib/database/define-model.ts'
import type { ItemContent } from './rubric-item.model.ts'

export interface AnswerChange<T> {
  submission_id: number
  before: T | null
  after: T | null
}

export type PointsByCriterion = Record<string, number>

/** `adjustments`: points typed beyond the items', by criterion. */
export interface AppliedItems {
  items: number[]
  adjustments: Record<string, number>
}

export type DecisionChange = AnswerChange<PointsByCriterion> & { items?: { before: AppliedItems; after: AppliedItems } }

interface ChangeOf<K extends string, C> {
  kind: K
  changes: C[]
}

/** Reaches every answer that has the item. */
export interface ItemRevision {
  id: number
  before: ItemContent
  after: ItemContent
  revision: number
}

/** Stored before any answer is changed: a restart completes it, so a group is decided as a whole or not at all. */
export type QuestionChangeDoc = {
  _id: number
  assignment_id: number
  question_id: string
  actor_id: number
  actor_role: string
  session_id: string
  state: 'applying' | 'applied' | 'undone'
  undoes?: number
  at: Date
  process?: string
} & (
  | ChangeOf<'decision', DecisionChange>
  | ChangeOf<'grouping', AnswerChange<string>>
  | (ChangeOf<'item', DecisionChange> & { item: ItemRevision })
)

const changeSchema = defineSchema<QuestionChangeDoc>(
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
    changes: { type: Mixed, required: true },
    item: Mixed,
  },
  { minimize: false },
)
changeSchema.index({ assignment_id: 1, question_id: 1, actor_id: 1, _id: -1 })
changeSchema.index({ state: 1 })
export const QuestionChangeModel = defineModel('QuestionChange', changeSchema, 'question_changes')
