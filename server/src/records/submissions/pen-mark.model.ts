import type { PenMarkContent } from '@assay/shared/pen-marks.ts'
import { type DocOf, defineModel, field, Mixed, schemaOf } from '../../lib/database/define-model.ts'

/** Outlives runs and rubric changes, not the file. */
const penMarkSchema = schemaOf({
  _id: field.id(String),
  submission_id: field.required(Number),
  file_hash: field.required(String),
  content: field.required<PenMarkContent>(Mixed),
  author_id: field.required(Number),
  created_at: field.required(Date),
})
export type PenMarkDoc = DocOf<typeof penMarkSchema>
penMarkSchema.index({ submission_id: 1, created_at: 1 })
export const PenMarkModel = defineModel('PenMark', penMarkSchema, 'pen_marks')
