import type { Role } from '@assay/shared/users.ts'
import mongoose from 'mongoose'

/** A rubric being made from blank and key, or why the last try failed. Deleted once the rubric is stored. */
export interface RubricMakingDoc {
  /** The assignment's id. */
  _id: number
  /** Identifies this making: by it the LLM request is recognized after a restart, and the version it made. */
  making_id: number
  by: 'rules' | 'model'
  /** `putting`: made, and being stored; it can no longer be stopped. */
  state: 'running' | 'putting' | 'failed'
  message: string
  /** The version it is to replace. */
  made_on: number
  /** On whose behalf, for the audit log. */
  actor_id: number
  actor_role: Role
  session_id: string
}

const makingSchema = new mongoose.Schema<RubricMakingDoc>(
  {
    _id: Number,
    making_id: { type: Number, required: true },
    by: { type: String, required: true },
    state: { type: String, required: true },
    message: { type: String, required: true },
    made_on: { type: Number, required: true },
    actor_id: { type: Number, required: true },
    actor_role: { type: String, required: true },
    session_id: { type: String, required: true },
  },
  { versionKey: false },
)
makingSchema.index({ state: 1 })
export const RubricMakingModel = mongoose.model('RubricMaking', makingSchema, 'rubric_makings')
