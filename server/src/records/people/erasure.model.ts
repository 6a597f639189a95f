import type { Role } from '@assay/shared/users.ts'
import { defineModel, defineSchema } from '../../lib/database/define-model.ts'

/** What later steps need is stored before it is deleted, so that a restart goes on; in the end only the fact stays. */
export interface ErasureDoc {
  _id: number
  /** The person's new name: “Deleted student 4f2a”. Random. */
  placeholder: string
  state: 'running' | 'done' | 'failed'
  step: number
  /** Includes accounts of LMSs joined with it. */
  account_ids: number[]
  /** Emptied at the end. */
  submission_ids: number[]
  file_hashes: string[]
  /** An administrator or the person, for the audit log. */
  actor_id: number
  actor_role: Role
  session_id: string
  started_at: Date
  finished_at: Date | null
}

const erasureSchema = defineSchema<ErasureDoc>({
  _id: Number,
  placeholder: { type: String, required: true },
  state: { type: String, required: true },
  step: { type: Number, required: true },
  account_ids: { type: [Number], required: true },
  submission_ids: { type: [Number], required: true },
  file_hashes: { type: [String], required: true },
  actor_id: { type: Number, required: true },
  actor_role: { type: String, required: true },
  session_id: { type: String, required: true },
  started_at: { type: Date, required: true },
  finished_at: { type: Date, default: null },
})
erasureSchema.index({ placeholder: 1 }, { unique: true })
erasureSchema.index({ state: 1 })

export const ErasureModel = defineModel('Erasure', erasureSchema, 'erasures')
