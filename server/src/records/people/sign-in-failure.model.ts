import mongoose from 'mongoose'

/**
 * Wrong passwords of one kind: from an address, for an account, for both together, or from a known device. A leaky bucket,
 * whose level and time one number holds: when it will be empty, in ms since the epoch.
 */
export interface SignInFailureDoc {
  /** A keyed hash of what is counted: nobody can read names or addresses here. */
  _id: string
  empty_at: number
  /** For an account at an address: the same for its part of the address's bucket, at the leak rate of that one; a success refunds it. */
  refundable_until?: number
  expires_at: Date
}

const signInFailureSchema = new mongoose.Schema<SignInFailureDoc>(
  {
    _id: String,
    empty_at: { type: Number, required: true },
    refundable_until: Number,
    expires_at: { type: Date, required: true },
  },
  { versionKey: false },
)
signInFailureSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 })

export const SignInFailureModel = mongoose.model('SignInFailure', signInFailureSchema, 'sign_in_failures')
