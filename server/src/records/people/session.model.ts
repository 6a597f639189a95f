import type { Role } from '@assay/shared/users.ts'
import { defineModel, defineSchema } from '../../lib/database/define-model.ts'

/** The token contains its id; deleting it invalidates the token. */
export interface SessionDoc {
  _id: string
  user_id: number
  /** The account's at sign-in: changing it ends the sessions. A launched session has the role of its LMS course. */
  role: Role
  /** Absent for a direct sign-in. */
  launch_id?: string | null
  created_at: Date
  /** To the minute. */
  seen_at?: Date
  expires_at: Date
}

const sessionSchema = defineSchema<SessionDoc>({
  _id: String,
  user_id: { type: Number, required: true },
  role: { type: String, required: true },
  launch_id: { type: String, default: null },
  created_at: { type: Date, required: true },
  seen_at: Date,
  expires_at: { type: Date, required: true },
})
sessionSchema.index({ user_id: 1 })
sessionSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 })

export const SessionModel = defineModel('Session', sessionSchema, 'sessions')
