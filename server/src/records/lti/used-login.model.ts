import { defineModel, field, schemaOf } from '../../lib/database/define-model.ts'

/** Each login is used once. Unused ones are not stored: anybody can begin them. */
const usedLoginSchema = schemaOf({
  /** SHA-256 of the state. */
  _id: field.id(String),
  /** When the state ends by itself. */
  expires_at: field.required(Date),
})
usedLoginSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 })

export const LtiUsedLoginModel = defineModel('LtiUsedLogin', usedLoginSchema, 'lti_logins')
