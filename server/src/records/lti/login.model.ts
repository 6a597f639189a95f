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

/** A login that was begun: what must come back with the id token, once, from the same browser. */
export interface LtiLoginDoc {
  /** SHA-256 of the state: a reader of the database cannot continue the launch with it. */
  _id: string
  nonce: string
  platform_id: number
  /** As received, for a button that repeats it in a new window. */
  request: LoginRequest
  /** Where the platform offered its storage: the frame that has it, and SHA-256 of the value. */
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
