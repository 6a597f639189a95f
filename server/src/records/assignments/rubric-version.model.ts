import type { RubricSource } from '@assay/shared/rubric-endpoints.ts'
import type { Rubric } from '@assay/shared/rubrics.ts'
import mongoose from 'mongoose'

/** How a rubric came to be as it is. */
export interface RubricOrigin {
  by: RubricSource
  /** Of a person’s. */
  user_id: number | null
  /** The model’s name, or the assignment it was copied from. */
  name: string | null
  note: string
  at: Date
  /** The making it came out of. Absent where it was not made by itself, or before makings had ids. */
  making_id?: number
}

/** A question as far as telling needs it whether a grade still rests on it. */
export interface QuestionFingerprint {
  id: string
  number: string
  /** A hash of all that its grade depends on. */
  print: string
}

/** A rubric as it once stood. Kept before anything takes its place, and never changed. */
export interface RubricVersionDoc {
  /** `assignment/version`. */
  _id: string
  assignment_id: number
  version: number
  rubric: Rubric
  questions: QuestionFingerprint[]
  made: RubricOrigin
}

const versionSchema = new mongoose.Schema<RubricVersionDoc>(
  {
    _id: String,
    assignment_id: { type: Number, required: true },
    version: { type: Number, required: true },
    rubric: { type: mongoose.Schema.Types.Mixed, required: true },
    questions: { type: mongoose.Schema.Types.Mixed, required: true },
    made: { type: mongoose.Schema.Types.Mixed, required: true },
  },
  { versionKey: false },
)
versionSchema.index({ assignment_id: 1, version: -1 })
export const RubricVersionModel = mongoose.model('RubricVersion', versionSchema, 'rubric_versions')
