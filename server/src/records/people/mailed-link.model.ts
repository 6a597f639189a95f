import mongoose from 'mongoose'

/** A secret mailed to an address. Only its hash is stored, so that nobody can use a link by reading the database. */
const linkSchema = new mongoose.Schema(
  {
    /** sha256 of the token, in hex. */
    _id: { type: String, required: true },
    /** `reset`: set a new password. `confirm`: verify the address. `invitation`: claim the account a teacher created. */
    purpose: { type: String, required: true, enum: ['reset', 'confirm', 'invitation'] as const },
    user_id: { type: Number, required: true },
    /** The address it was mailed to: it does not confirm another one. */
    email_key: { type: String, required: true },
    expires_at: { type: Date, required: true },
  },
  { versionKey: false },
)
linkSchema.index({ user_id: 1, purpose: 1 })
linkSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 })

export type LinkPurpose = mongoose.InferSchemaType<typeof linkSchema>['purpose']

export const MailedLinkModel = mongoose.model('MailedLink', linkSchema, 'mailed_links')
