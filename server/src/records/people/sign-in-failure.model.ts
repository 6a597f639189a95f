import { type DocOf, defineModel, field, schemaOf } from '../../lib/database/define-model.ts'

/** A leaky bucket by address, account, both, or known device, stored as the time it is empty (ms since 1970). */
const signInFailureSchema = schemaOf({
  /** A keyed hash, which reveals no names or addresses. */
  _id: field.id(String),
  empty_at: field.required(Number),
  /** An account's part of its address's bucket, which a success refunds. */
  refundable_until: field.optional(Number),
  expires_at: field.required(Date),
})
export type SignInFailureDoc = DocOf<typeof signInFailureSchema>
signInFailureSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 })
export const SignInFailureModel = defineModel('SignInFailure', signInFailureSchema, 'sign_in_failures')
