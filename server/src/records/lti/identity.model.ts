import mongoose from 'mongoose'

/** A person's identity at an LMS, `(iss, sub)`, and their account here. */
export interface LtiIdentityDoc {
  _id: number
  issuer: string
  sub: string
  user_id: number
  /** A test student (Canvas's Student View): left out of analytics and of scores sent to the LMS. */
  test_user: boolean
  created_at: Date
}

const identitySchema = new mongoose.Schema<LtiIdentityDoc>(
  {
    _id: Number,
    issuer: { type: String, required: true },
    sub: { type: String, required: true },
    user_id: { type: Number, required: true },
    test_user: { type: Boolean, default: false },
    created_at: { type: Date, required: true },
  },
  { versionKey: false },
)
identitySchema.index({ issuer: 1, sub: 1 }, { unique: true })
identitySchema.index({ user_id: 1 })

export const LtiIdentityModel = mongoose.model('LtiIdentity', identitySchema, 'lti_identities')
