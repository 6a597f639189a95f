import { defineModel, defineSchema } from '../../lib/database/define-model.ts'

/** A released score kept after an erasure: no words, no points by criterion, no person. */
export interface RetainedGradeDoc {
  /** The id the submission had. */
  _id: number
  course_id: number | null
  assignment_id: number
  /** “Deleted student 4f2a”: the same for all scores of one person. */
  placeholder: string
  /** In percent, as it was released. */
  final_score: number
  released_at: Date
}

const retainedGradeSchema = defineSchema<RetainedGradeDoc>({
  _id: Number,
  course_id: { type: Number, default: null },
  assignment_id: { type: Number, required: true },
  placeholder: { type: String, required: true },
  final_score: { type: Number, required: true },
  released_at: { type: Date, required: true },
})
retainedGradeSchema.index({ assignment_id: 1, placeholder: 1 })

export const RetainedGradeModel = defineModel('RetainedGrade', retainedGradeSchema, 'retained_grades')
