import { type DocOf, defineModel, field, schemaOf } from '../../lib/database/define-model.ts'

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
