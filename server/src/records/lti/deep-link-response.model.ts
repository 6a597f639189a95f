import { defineModel, defineSchema } from '../../lib/database/define-model.ts'

/** Under the launch's id, as each has one response. Sent ones show what was added to a course. */
export interface LtiDeepLinkResponseDoc {
  _id: string
  context: number | null
  /** Empty: the instructor went back without choosing any. */
  assignment_ids: number[]
  /** SHA-256 of the token in its page's URL. */
  token_hash: string
  token_expires_at: Date
  /** Null while the choice can change. */
  sent_at: Date | null
}

const deepLinkResponseSchema = defineSchema<LtiDeepLinkResponseDoc>({
  _id: String,
  context: { type: Number, default: null },
  assignment_ids: { type: [Number], required: true },
  token_hash: { type: String, required: true },
  token_expires_at: { type: Date, required: true },
  sent_at: { type: Date, default: null },
})
deepLinkResponseSchema.index({ token_hash: 1 })
deepLinkResponseSchema.index({ context: 1 })

export const LtiDeepLinkResponseModel = defineModel(
  'LtiDeepLinkResponse',
  deepLinkResponseSchema,
  'lti_deep_link_responses',
)
