import type { ItemKind } from '@assay/shared/item-words.ts'
import { type DocOf, defineModel, field, schemaOf } from '../../lib/database/define-model.ts'

const itemSchema = schemaOf({
  _id: field.id(Number),
  course_id: field.nullable(Number),
  assignment_id: field.required(Number),
  question_id: field.required(String),
  criterion_id: field.required(String),
  kind: field.required<ItemKind>(String),
  /** 0 for a comment. */
  points: field.required(Number),
  text: field.required(String),
  /** No longer offered, and without effect on answers that have it. */
  removed: field.required(Boolean),
  position: field.required(Number),
  author_id: field.required(Number),
  created_at: field.required(Date),
  updated_at: field.required(Date),
  revision: field.required(Number),
  changed_by: field.optional(Number),
})
export type RubricItemDoc = DocOf<typeof itemSchema>
export type ItemContent = Pick<RubricItemDoc, 'kind' | 'points' | 'text' | 'removed'>
itemSchema.index({ assignment_id: 1, question_id: 1, position: 1 })
itemSchema.index({ course_id: 1, _id: -1 })
export const RubricItemModel = defineModel('RubricItem', itemSchema, 'rubric_items')
