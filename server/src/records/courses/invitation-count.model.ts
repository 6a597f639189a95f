import { defineModel, defineSchema } from '../../lib/database/define-model.ts'

/** Mails per day (UTC) that a teacher, or an LMS, has had sent to addresses of their choice. */
export interface InvitationCountDoc {
  /** `user/2026-11-24`, `lms issuer/2026-11-24` */
  _id: string
  /** Null for an LMS's. */
  user_id: number | null
  sent: number
  expires_at: Date
}

const invitationCountSchema = defineSchema<InvitationCountDoc>({
  _id: String,
  user_id: { type: Number, default: null },
  sent: { type: Number, required: true },
  expires_at: { type: Date, required: true },
})
invitationCountSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 })

export const InvitationCountModel = defineModel('InvitationCount', invitationCountSchema, 'invitation_counts')
