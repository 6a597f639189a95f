import { defineModel, field, schemaOf } from '../../lib/database/define-model.ts'

/** Only used logins, as anybody can begin others. */
const usedLoginSchema = schemaOf({
  /** SHA-256 of the state. */
  _id: field.id(String),
  expires_at: field.required(Date),
})
usedLoginSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 })
export const LtiUsedLoginModel = defineModel('LtiUsedLogin', usedLoginSchema, 'lti_logins')
