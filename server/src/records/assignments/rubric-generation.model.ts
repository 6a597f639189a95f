import type { Role } from '@assay/shared/users.ts'
import { type DocOf, defineModel, field, schemaOf } from '../../lib/database/define-model.ts'

/** A generation under way or its failure; deleted once the rubric is stored. */
const generationSchema = schemaOf({
  /** The assignment's id. */
  _id: field.id(Number),
  /** Finds its LLM requests and rubric version after a restart. */
  generation_id: field.required(Number),
  by: field.required<'rules' | 'model'>(String),
  /** `saving`: can no longer be stopped. */
  state: field.required<'running' | 'saving' | 'failed'>(String),
  message: field.required(String),
  /** The version it is to replace. */
  made_on: field.required(Number),
  /** On whose behalf, for the audit log. */
  actor_id: field.required(Number),
  actor_role: field.required<Role>(String),
  session_id: field.required(String),
})
export type RubricGenerationDoc = DocOf<typeof generationSchema>
generationSchema.index({ state: 1 })
export const RubricGenerationModel = defineModel('RubricGeneration', generationSchema, 'rubric_generations')
