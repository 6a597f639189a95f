import { defineModel, field, schemaOf } from '../../lib/database/define-model.ts'

/** Mails per day (UTC) to addresses a teacher, or an LMS, has chosen. */
const invitationCountSchema = schemaOf({
  /** `user/2026-11-24`, `lms issuer/2026-11-24`. */
  _id: field.id(String),
  user_id: field.nullable(Number),
  sent: field.required(Number),
  expires_at: field.required(Date),
})
invitationCountSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 })
export const InvitationCountModel = defineModel('InvitationCount', invitationCountSchema, 'invitation_counts')
