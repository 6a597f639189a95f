import mongoose from 'mongoose'

/** How many mails a teacher has had sent to addresses of their choice, on one day (UTC). */
export interface InvitationCountDoc {
  /** `user/2026-11-24` */
  _id: string
  user_id: number
  sent: number
  expires_at: Date
}

const invitationCountSchema = new mongoose.Schema<InvitationCountDoc>(
  {
    _id: String,
    user_id: { type: Number, required: true },
    sent: { type: Number, required: true },
    expires_at: { type: Date, required: true },
  },
  { versionKey: false },
)
invitationCountSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 })

export const InvitationCountModel = mongoose.model('InvitationCount', invitationCountSchema, 'invitation_counts')
