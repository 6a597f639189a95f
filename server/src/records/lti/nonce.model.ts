import { defineModel, defineSchema } from '../../lib/database/define-model.ts'

/** Each id token's nonce is accepted once. Written by ltijs through `ltijs-provider.ts`. */
interface LtiNonceDoc {
  _id: string
  at: Date
}

const nonceSchema = defineSchema<LtiNonceDoc>({ _id: String, at: { type: Date, required: true } })
// Far longer than a token is accepted.
nonceSchema.index({ at: 1 }, { expireAfterSeconds: 60 * 60 })

export const LtiNonceModel = defineModel('LtiNonce', nonceSchema, 'lti_nonces')
