import { defineModel, defineSchema, Mixed } from '../../lib/database/define-model.ts'

/** Its token is not stored; only the recipient has it. */
export interface RegistrationLinkDoc {
  _id: number
  /** SHA-256 of the token. */
  token_hash: string
  created_by: number
  created_at: Date
  expires_at: Date
  /** A registration is under way: until when no other may begin. */
  busy_until: Date | null
  used_at: Date | null
  /** What it registered. */
  platform_id: number | null
  /** Why the last try failed: a code of `refusals.ts`. */
  failed: { at: Date; code: string; detail: string | null } | null
  /** Kept for a while after use, so that the list can show its outcome. */
  forget_at: Date
}

const linkSchema = defineSchema<RegistrationLinkDoc>({
  _id: Number,
  token_hash: { type: String, required: true },
  created_by: { type: Number, required: true },
  created_at: { type: Date, required: true },
  expires_at: { type: Date, required: true },
  busy_until: { type: Date, default: null },
  used_at: { type: Date, default: null },
  platform_id: { type: Number, default: null },
  failed: { type: Mixed, default: null },
  forget_at: { type: Date, required: true },
})
linkSchema.index({ token_hash: 1 }, { unique: true })
linkSchema.index({ forget_at: 1 }, { expireAfterSeconds: 0 })

export const RegistrationLinkModel = defineModel('LtiRegistrationLink', linkSchema, 'lti_registration_links')
