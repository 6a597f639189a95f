import type { RubricSource } from '@assay/shared/rubric-endpoints.ts'
import type { Rubric } from '@assay/shared/rubrics.ts'
import type { Role } from '@assay/shared/users.ts'
import { type DocOf, defineModel, field, Mixed, schemaOf } from '../../lib/database/define-model.ts'

export interface RubricOrigin {
  by: RubricSource
  user_id: number | null
  name: string | null
  note: string
  at: Date
  /** Absent in older versions, and those not generated. */
  generation_id?: number
}

export interface QuestionFingerprint {
  id: string
  number: string
  /** A hash of everything its grade depends on. */
  print: string
}

/** Stored before it is replaced, and never changed. */
const versionSchema = schemaOf({
  /** `assignment/version`. */
  _id: field.id(String),
  assignment_id: field.required(Number),
  version: field.required(Number),
  rubric: field.required<Rubric>(Mixed),
  questions: field.required<QuestionFingerprint[]>(Mixed),
  made: field.required<RubricOrigin>(Mixed),
})
export type RubricVersionDoc = DocOf<typeof versionSchema>
versionSchema.index({ assignment_id: 1, version: -1 })
export const RubricVersionModel = defineModel('RubricVersion', versionSchema, 'rubric_versions')

const generationSchema = schemaOf({
  _id: field.id(Number),
  generation_id: field.required(Number),
  by: field.required<'rules' | 'model'>(String),
  /** `saving`: can no longer be stopped. */
  state: field.required<'running' | 'saving' | 'failed'>(String),
  message: field.required(String),
  made_on: field.required(Number),
  actor_id: field.required(Number),
  actor_role: field.required<Role>(String),
  session_id: field.required(String),
})
export type RubricGenerationDoc = DocOf<typeof generationSchema>
generationSchema.index({ state: 1 })
export const RubricGenerationModel = defineModel('RubricGeneration', generationSchema, 'rubric_generations')
