import { randomBytes } from 'node:crypto'
import { hashOf } from '../../lib/security/hash-of.ts'
import { type LinkPurpose, MailedLinkModel } from '../../records/people/mailed-link.model.ts'
import type { UserDoc } from '../../records/people/user.model.ts'

const HOUR_MS = 60 * 60 * 1000
const lifetimeMs: Record<LinkPurpose, number> = {
  reset: HOUR_MS,
  confirm: 7 * 24 * HOUR_MS,
  invitation: 60 * 24 * HOUR_MS,
}

/** A new link to set a password revokes earlier ones; invitations and links to confirm stay valid until one is used. */
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

/** Links of the last day that are still valid. */
export async function countLinksOfLastDay(userIds: number[], now: Date): Promise<Map<number, number>> {
  const links = await MailedLinkModel.find(
    { user_id: { $in: userIds }, purpose: { $in: ['invitation', 'confirm'] } },
    { user_id: 1, purpose: 1, expires_at: 1 },
  ).lean()
  const since = now.getTime() - 24 * HOUR_MS
  const recent = links.filter(({ purpose, expires_at }) => expires_at.getTime() - lifetimeMs[purpose] > since)
  return new Map([...Map.groupBy(recent, (link) => link.user_id)].map(([id, some]) => [id, some.length]))
}

const openLink = (token: string, purposes: LinkPurpose[], now: Date) => ({
  _id: hashOf(token),
  purpose: { $in: purposes },
  expires_at: { $gt: now },
})

/** Null when the token is unknown, used or expired. */
export function findMailedLink(token: string, purposes: LinkPurpose[], now: Date) {
  return MailedLinkModel.findOne(openLink(token, purposes, now)).lean()
}

/** Of two requests at once, one succeeds. */
export function consumeMailedLink(token: string, purposes: LinkPurpose[], now: Date) {
  return MailedLinkModel.findOneAndDelete(openLink(token, purposes, now)).lean()
}

export async function revokeMailedLinks(userId: number): Promise<void> {
  await MailedLinkModel.deleteMany({ user_id: userId })
}
