import { randomBytes } from 'node:crypto'
import mongoose from 'mongoose'
import { hashOf } from '../../lib/security/hash-of.ts'
import type { UserDoc } from '../../records/people/user.model.ts'

/** `reset`: set a new password. `confirm`: verify the address. `invitation`: claim the account a teacher created. */
export type LinkPurpose = 'reset' | 'confirm' | 'invitation'

/** A secret mailed to an address. Only its hash is stored, so that nobody can use a link by reading the database. */
interface MailedLinkDoc {
  /** sha256 of the token, in hex. */
  _id: string
  purpose: LinkPurpose
  user_id: number
  /** The address it was mailed to: it does not confirm another one. */
  email_key: string
  expires_at: Date
}

const linkSchema = new mongoose.Schema<MailedLinkDoc>(
  {
    _id: String,
    purpose: { type: String, required: true },
    user_id: { type: Number, required: true },
    email_key: { type: String, required: true },
    expires_at: { type: Date, required: true },
  },
  { versionKey: false },
)
linkSchema.index({ user_id: 1, purpose: 1 })
linkSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 })
const MailedLinkModel = mongoose.model('MailedLink', linkSchema, 'mailed_links')

const HOUR_MS = 60 * 60 * 1000
const lifetimeMs: Record<LinkPurpose, number> = {
  reset: HOUR_MS,
  confirm: 7 * 24 * HOUR_MS,
  invitation: 60 * 24 * HOUR_MS,
}

/**
 * A new token for someone's address; it works once. A new link to set a password revokes the earlier ones. Invitations to
 * several courses, and links to confirm, all stay valid until one is followed.
 */
export async function createMailedLinkToken(user: UserDoc, purpose: LinkPurpose, now: Date): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  if (purpose === 'reset') await MailedLinkModel.deleteMany({ user_id: user._id, purpose })
  await MailedLinkModel.create({
    _id: hashOf(token),
    purpose,
    user_id: user._id,
    email_key: user.email_key,
    expires_at: new Date(now.getTime() + lifetimeMs[purpose]),
  })
  return token
}

/** Null when the token is unknown, used or expired. Does not use it up. */
export function findMailedLink(token: string, purposes: LinkPurpose[], now: Date) {
  return MailedLinkModel.findOne({
    _id: hashOf(token),
    purpose: { $in: purposes },
    expires_at: { $gt: now },
  }).lean()
}

/** The same, and deletes it: of two who follow it at once, one succeeds. */
export function consumeMailedLink(token: string, purposes: LinkPurpose[], now: Date) {
  return MailedLinkModel.findOneAndDelete({
    _id: hashOf(token),
    purpose: { $in: purposes },
    expires_at: { $gt: now },
  }).lean()
}

/** For someone who has a new password or another address. */
export async function revokeMailedLinks(userId: number): Promise<void> {
  await MailedLinkModel.deleteMany({ user_id: userId })
}
