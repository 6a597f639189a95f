import { type DocOf, defineModel, field, Mixed, schemaOf } from '../../lib/database/define-model.ts'

const linkSchema = schemaOf({
  _id: field.id(Number),
  token_hash: field.required(String),
  created_by: field.required(Number),
  created_at: field.required(Date),
  expires_at: field.required(Date),
  /** No other registration may begin before. */
  busy_until: field.nullable(Date),
  used_at: field.nullable(Date),
  platform_id: field.nullable(Number),
  /** A code of `refusals.ts`. */
  failed: field.nullable<{ at: Date; code: string; detail: string | null }>(Mixed),
  forget_at: field.required(Date),
})
export type RegistrationLinkDoc = DocOf<typeof linkSchema>
linkSchema.index({ token_hash: 1 }, { unique: true })
linkSchema.index({ forget_at: 1 }, { expireAfterSeconds: 0 })
export const RegistrationLinkModel = defineModel('LtiRegistrationLink', linkSchema, 'lti_registration_links')
