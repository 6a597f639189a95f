import mongoose from 'mongoose'

/**
 * Wrong passwords of one kind: from an address, for an account, for both together, or from a known device. They drain
 * steadily, so that one number holds count and time: when the last of them will have drained, in ms since the epoch.
 */
export interface SignInFailureDoc {
  /** A keyed hash of what is counted: nobody can read names or addresses here. */
  _id: string
  drained_at: number
  /** For an account at an address: the same for those counted for the address too, at its pace. */
  owed_until?: number
  expires_at: Date
}

const signInFailureSchema = new mongoose.Schema<SignInFailureDoc>(
  {
    _id: String,
    drained_at: { type: Number, required: true },
    owed_until: Number,
    expires_at: { type: Date, required: true },
  },
  { versionKey: false },
)
signInFailureSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 })

export const SignInFailureModel = mongoose.model('SignInFailure', signInFailureSchema, 'sign_in_failures')
