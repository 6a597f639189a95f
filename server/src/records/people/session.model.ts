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
