import mongoose from 'mongoose'

/** The parameters of a third-party initiated login request. */
interface LoginRequest {
  iss: string
  login_hint: string
  target_link_uri: string
  client_id?: string | undefined
  lti_message_hint?: string | undefined
  lti_deployment_id?: string | undefined
  lti_storage_target?: string | undefined
  assay_window?: '1' | undefined
}

/** A launch that was begun: what has to come back with the id token, once, from the same browser. */
export interface LtiLoginDoc {
  /** SHA-256 of the state: whoever reads the database cannot go on with it. */
  _id: string
  nonce: string
  platform_id: number
  /** As it came, for a button that begins it again in a new window. */
  request: LoginRequest
  /** Where the browser was offered the platform's storage: the frame that keeps it, and SHA-256 of what it keeps. */
  storage: { frame: string; secret_hash: string } | null
  expires_at: Date
  used_at: Date | null
}

const loginSchema = new mongoose.Schema<LtiLoginDoc>(
  {
    _id: String,
    nonce: { type: String, required: true },
    platform_id: { type: Number, required: true },
    request: { type: mongoose.Schema.Types.Mixed, required: true },
    storage: { type: mongoose.Schema.Types.Mixed, default: null },
    expires_at: { type: Date, required: true },
    used_at: { type: Date, default: null },
  },
  { versionKey: false },
)
loginSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 })

export const LtiLoginModel = mongoose.model('LtiLogin', loginSchema, 'lti_logins')
