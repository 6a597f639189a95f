import mongoose from 'mongoose'

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

const retainedGradeSchema = new mongoose.Schema<RetainedGradeDoc>(
  {
    _id: Number,
    course_id: { type: Number, default: null },
    assignment_id: { type: Number, required: true },
    placeholder: { type: String, required: true },
    final_score: { type: Number, required: true },
    released_at: { type: Date, required: true },
  },
  { versionKey: false },
)
retainedGradeSchema.index({ assignment_id: 1, placeholder: 1 })

export const RetainedGradeModel = mongoose.model('RetainedGrade', retainedGradeSchema, 'retained_grades')
