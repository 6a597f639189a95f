import { defineModel, defineSchema } from '../../lib/database/define-model.ts'

/** Each login is used once. Unused ones are not stored: anybody can begin them. */
interface UsedLoginDoc {
  /** SHA-256 of the state. */
  _id: string
  /** When the state ends by itself. */
  expires_at: Date
}

const usedLoginSchema = defineSchema<UsedLoginDoc>({ _id: String, expires_at: { type: Date, required: true } })
usedLoginSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 })

export const LtiUsedLoginModel = defineModel('LtiUsedLogin', usedLoginSchema, 'lti_logins')
