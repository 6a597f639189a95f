import mongoose from 'mongoose'

/** Only the hash is stored, so that reading the database gives nobody a link. */
const linkSchema = new mongoose.Schema(
  {
    /** sha256 of the token, in hex. */
    _id: { type: String, required: true },
    /** `reset`: set a new password. `confirm`: verify the address. `invitation`: claim an account made by a teacher. */
    purpose: { type: String, required: true, enum: ['reset', 'confirm', 'invitation'] as const },
    user_id: { type: Number, required: true },
    /** The address it was mailed to: it confirms no other. */
    email_key: { type: String, required: true },
    expires_at: { type: Date, required: true },
  },
  { versionKey: false },
)
linkSchema.index({ user_id: 1, purpose: 1 })
linkSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 })

export type LinkPurpose = mongoose.InferSchemaType<typeof linkSchema>['purpose']

export const MailedLinkModel = mongoose.model('MailedLink', linkSchema, 'mailed_links')
