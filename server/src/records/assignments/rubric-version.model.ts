import type { RubricSource } from '@assay/shared/rubric-endpoints.ts'
import type { Rubric } from '@assay/shared/rubrics.ts'
import { defineModel, defineSchema, Mixed } from '../../lib/database/define-model.ts'

export interface RubricOrigin {
  by: RubricSource
  /** Of a version saved by a person. */
  user_id: number | null
  /** The LLM’s name, or the assignment it was copied from. */
  name: string | null
  note: string
  at: Date
  /** Absent for versions not generated, or from before generations had ids. */
  generation_id?: number
}

export interface QuestionFingerprint {
  id: string
  number: string
  /** A hash of everything its grade depends on. */
  print: string
}

/** Stored before it is replaced, and never changed. */
export interface RubricVersionDoc {
  /** `assignment/version`. */
  _id: string
  assignment_id: number
  version: number
  rubric: Rubric
  questions: QuestionFingerprint[]
  made: RubricOrigin
}

const versionSchema = defineSchema<RubricVersionDoc>({
  _id: String,
  assignment_id: { type: Number, required: true },
  version: { type: Number, required: true },
  rubric: { type: Mixed, required: true },
  questions: { type: Mixed, required: true },
  made: { type: Mixed, required: true },
})
versionSchema.index({ assignment_id: 1, version: -1 })
export const RubricVersionModel = defineModel('RubricVersion', versionSchema, 'rubric_versions')
