import type { Role } from '@assay/shared/users.ts'
import { type DocOf, defineModel, field, schemaOf } from '../../lib/database/define-model.ts'

/** The token contains its id, so deleting it ends the session. */
const sessionSchema = schemaOf({
  _id: field.id(String),
  user_id: field.required(Number),
  /** The account's, whose change ends sessions; of a launch, that in its LMS course. */
  role: field.required<Role>(String),
  launch_id: field.optional<string | null>(String, null),
  lms_issuer: field.optional<string | null>(String, null),
  created_at: field.required(Date),
  /** To the minute. */
  seen_at: field.optional(Date),
  expires_at: field.required(Date),
})
export type SessionDoc = DocOf<typeof sessionSchema>
sessionSchema.index({ user_id: 1 })
sessionSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 })
export const SessionModel = defineModel('Session', sessionSchema, 'sessions')

/** A leaky bucket by address, account, both, or known device, stored as the time it is empty (ms since 1970). */
const signInFailureSchema = schemaOf({
  /** A keyed hash, which reveals no names or addresses. */
  _id: field.id(String),
  empty_at: field.required(Number),
  /** An account's part of its address's bucket, which a success refunds. */
  refundable_until: field.optional(Number),
  expires_at: field.required(Date),
})
export type SignInFailureDoc = DocOf<typeof signInFailureSchema>
signInFailureSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 })
export const SignInFailureModel = defineModel('SignInFailure', signInFailureSchema, 'sign_in_failures')

/** Only the hash is stored, so that reading the database gives nobody a link. */
const linkSchema = schemaOf({
  /** SHA-256 of the token, in hex. */
  _id: field.required(String),
  purpose: field.required<'reset' | 'confirm' | 'invitation'>(String),
  user_id: field.required(Number),
  /** It confirms no other address. */
  email_key: field.required(String),
  expires_at: field.required(Date),
})
export type LinkPurpose = DocOf<typeof linkSchema>['purpose']
linkSchema.index({ user_id: 1, purpose: 1 })
linkSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 })
export const MailedLinkModel = defineModel('MailedLink', linkSchema, 'mailed_links')
