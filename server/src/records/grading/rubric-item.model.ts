import type { ItemKind } from '@assay/shared/item-words.ts'
import { defineModel, defineSchema } from '../../lib/database/define-model.ts'

export interface ItemContent {
  kind: ItemKind
  /** 0 for a comment. */
  points: number
  text: string
  /** No longer offered, and without effect on answers that have it. */
  removed: boolean
}

/** A sentence with points that graders add to answers under a criterion. Removed ones stay for the history. */
export interface RubricItemDoc extends ItemContent {
  _id: number
  course_id: number | null
  assignment_id: number
  question_id: string
  criterion_id: string
  /** Within its criterion, the lowest first. */
  position: number
  author_id: number
  created_at: Date
  updated_at: Date
  /** Raised by every change. */
  revision: number
  /** The question change it was last changed by. Absent: none. */
  changed_by?: number
}

const itemSchema = defineSchema<RubricItemDoc>({
  _id: Number,
  course_id: { type: Number, default: null },
  assignment_id: { type: Number, required: true },
  question_id: { type: String, required: true },
  criterion_id: { type: String, required: true },
  kind: { type: String, required: true },
  points: { type: Number, required: true },
  text: { type: String, required: true },
  removed: { type: Boolean, required: true },
  position: { type: Number, required: true },
  author_id: { type: Number, required: true },
  created_at: { type: Date, required: true },
  updated_at: { type: Date, required: true },
  revision: { type: Number, required: true },
  changed_by: Number,
})
itemSchema.index({ assignment_id: 1, question_id: 1, position: 1 })
itemSchema.index({ course_id: 1, _id: -1 })
export const RubricItemModel = defineModel('RubricItem', itemSchema, 'rubric_items')
