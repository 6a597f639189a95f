import { defineModel, defineSchema } from '../../lib/database/define-model.ts'

/** By address, account, both, or known device. A leaky bucket as one number: when it will be empty (ms since 1970). */
export interface SignInFailureDoc {
  /** A keyed hash, which reveals no names or addresses. */
  _id: string
  empty_at: number
  /** For an account at an address: its part of the address's bucket, at that one's rate; a success refunds it. */
  refundable_until?: number
  expires_at: Date
}

const signInFailureSchema = defineSchema<SignInFailureDoc>({
  _id: String,
  empty_at: { type: Number, required: true },
  refundable_until: Number,
  expires_at: { type: Date, required: true },
})
signInFailureSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 })

export const SignInFailureModel = defineModel('SignInFailure', signInFailureSchema, 'sign_in_failures')
