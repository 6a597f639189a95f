import mongoose from 'mongoose'

/**
 * What an instructor chose in one launch for deep linking. The launch's id is its own, so that a launch has one answer. It may
 * be chosen anew until it is sent; sent ones are kept, to tell what was added to a course before.
 */
export interface LtiDeepLinkResponseDoc {
  /** The launch's id. */
  _id: string
  context: number | null
  /** Empty: the instructor went back without any. */
  assignment_ids: number[]
  /** SHA-256 of what the address of its page holds. */
  token_hash: string
  token_expires_at: Date
  /** When it was signed and left for the LMS; null while it can be chosen anew. */
  sent_at: Date | null
}

const deepLinkResponseSchema = new mongoose.Schema<LtiDeepLinkResponseDoc>(
  {
    _id: String,
    context: { type: Number, default: null },
    assignment_ids: { type: [Number], required: true },
    token_hash: { type: String, required: true },
    token_expires_at: { type: Date, required: true },
    sent_at: { type: Date, default: null },
  },
  { versionKey: false },
)
deepLinkResponseSchema.index({ token_hash: 1 })
deepLinkResponseSchema.index({ context: 1 })

export const LtiDeepLinkResponseModel = mongoose.model('LtiAnswer', deepLinkResponseSchema, 'lti_answers')
