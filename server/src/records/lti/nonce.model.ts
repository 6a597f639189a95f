import mongoose from 'mongoose'

/** Each id token's nonce is accepted once. Written by ltijs through `ltijs-database.ts`. */
interface LtiNonceDoc {
  _id: string
  at: Date
}

const nonceSchema = new mongoose.Schema<LtiNonceDoc>(
  { _id: String, at: { type: Date, required: true } },
  { versionKey: false },
)
// Far longer than a token is accepted.
nonceSchema.index({ at: 1 }, { expireAfterSeconds: 60 * 60 })

export const LtiNonceModel = mongoose.model('LtiNonce', nonceSchema, 'lti_nonces')
