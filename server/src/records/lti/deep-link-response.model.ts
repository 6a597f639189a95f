import { type DocOf, defineModel, field, schemaOf } from '../../lib/database/define-model.ts'

/** Under the launch's id, as each has one response. */
const deepLinkResponseSchema = schemaOf({
  _id: field.id(String),
  context: field.nullable(Number),
  assignment_ids: field.required<number[]>([Number]),
  token_hash: field.required(String),
  token_expires_at: field.required(Date),
  sent_at: field.nullable(Date),
})
export type LtiDeepLinkResponseDoc = DocOf<typeof deepLinkResponseSchema>
deepLinkResponseSchema.index({ token_hash: 1 })
deepLinkResponseSchema.index({ context: 1 })
export const LtiDeepLinkResponseModel = defineModel(
  'LtiDeepLinkResponse',
  deepLinkResponseSchema,
  'lti_deep_link_responses',
)
