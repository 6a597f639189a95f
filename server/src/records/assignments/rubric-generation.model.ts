import type { Role } from '@assay/shared/users.ts'
import { defineModel, defineSchema } from '../../lib/database/define-model.ts'

/** A generation under way or its failure; deleted once the rubric is stored. */
export interface RubricGenerationDoc {
  /** The assignment's id. */
  _id: number
  /** Finds its LLM requests and rubric version after a restart. */
  generation_id: number
  by: 'rules' | 'model'
  /** `saving`: can no longer be stopped. */
  state: 'running' | 'saving' | 'failed'
  message: string
  /** The version it is to replace. */
  made_on: number
  /** On whose behalf, for the audit log. */
  actor_id: number
  actor_role: Role
  session_id: string
}

const generationSchema = defineSchema<RubricGenerationDoc>({
  _id: Number,
  generation_id: { type: Number, required: true },
  by: { type: String, required: true },
  state: { type: String, required: true },
  message: { type: String, required: true },
  made_on: { type: Number, required: true },
  actor_id: { type: Number, required: true },
  actor_role: { type: String, required: true },
  session_id: { type: String, required: true },
})
generationSchema.index({ state: 1 })
export const RubricGenerationModel = defineModel('RubricGeneration', generationSchema, 'rubric_generations')
