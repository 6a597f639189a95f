import { type DocOf, defineModel, field, Mixed, schemaOf } from '../../lib/database/define-model.ts'

/** Its token is not stored; only the recipient has it. */
const linkSchema = schemaOf({
  _id: field.id(Number),
  /** SHA-256 of the token. */
  token_hash: field.required(String),
  created_by: field.required(Number),
  created_at: field.required(Date),
  expires_at: field.required(Date),
  /** A registration is under way: until when no other may begin. */
  busy_until: field.nullable(Date),
  used_at: field.nullable(Date),
  /** What it registered. */
  platform_id: field.nullable(Number),
  /** Why the last try failed: a code of `refusals.ts`. */
  failed: field.nullable<{ at: Date; code: string; detail: string | null }>(Mixed),
  /** Kept for a while after use, so that the list can show its outcome. */
  forget_at: field.required(Date),
})
export type RegistrationLinkDoc = DocOf<typeof linkSchema>
linkSchema.index({ token_hash: 1 }, { unique: true })
linkSchema.index({ forget_at: 1 }, { expireAfterSeconds: 0 })

export const RegistrationLinkModel = defineModel('LtiRegistrationLink', linkSchema, 'lti_registration_links')
