import { type DocOf, defineModel, field, schemaOf } from '../../lib/database/define-model.ts'

/** A score kept after an erasure: no words, no points by criterion, no person. */
const retainedGradeSchema = schemaOf({
  _id: field.id(Number),
  course_id: field.nullable(Number),
  assignment_id: field.required(Number),
  /** “Deleted student 4f2a” for all scores of one person. */
  placeholder: field.required(String),
  /** In percent, as released. */
  final_score: field.required(Number),
  released_at: field.required(Date),
})
export type RetainedGradeDoc = DocOf<typeof retainedGradeSchema>
retainedGradeSchema.index({ assignment_id: 1, placeholder: 1 })
export const RetainedGradeModel = defineModel('RetainedGrade', retainedGradeSchema, 'retained_grades')
