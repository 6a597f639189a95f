import { defineModel, defineSchema } from '../../lib/database/define-model.ts'

export interface LtiIdentityDoc {
  _id: number
  /** The platform's `identity_issuer`, not the `iss` of launches: two LMSs may claim the same. */
  issuer: string
  /** Exactly as the LMS writes it. */
  sub: string
  user_id: number
  /** A test student (Canvas's Student View): left out of analytics and score passback. */
  test_user: boolean
  created_at: Date
}

const identitySchema = defineSchema<LtiIdentityDoc>({
  _id: Number,
  issuer: { type: String, required: true },
  sub: { type: String, required: true },
  user_id: { type: Number, required: true },
  test_user: { type: Boolean, default: false },
  created_at: { type: Date, required: true },
})
identitySchema.index({ issuer: 1, sub: 1 }, { unique: true })
identitySchema.index({ user_id: 1 })

export const LtiIdentityModel = defineModel('LtiIdentity', identitySchema, 'lti_identities')
