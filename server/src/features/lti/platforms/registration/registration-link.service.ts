import { randomBytes } from 'node:crypto'
import type { RegistrationLink } from '@assay/shared/lti/lti-registration.ts'
import { recordAudit } from '../../../../audit/audit.service.ts'
import { nextId } from '../../../../lib/database/database.ts'
import { notFound } from '../../../../lib/http/app-error.ts'
import type { Actor } from '../../../../lib/http/handle.ts'
import { hashOf } from '../../../../lib/security/hash-of.ts'
import { type RegistrationLinkDoc, RegistrationLinkModel } from '../../../../records/lti/registration-link.model.ts'
import type { Services } from '../../../../services.ts'
import { usersById } from '../../../users/user.service.ts'
import { explainRefusal, LtiRefusal } from '../../refusals.ts'
import { platformNamesById } from '../platform.service.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const LINK_TTL_MS = 7 * DAY_MS
const RETENTION_MS = 30 * DAY_MS
/** Longer than a registration's two calls of ten seconds; a dead process's lock expires. */
const LOCK_MS = 60_000

const hashToken = (token: string) => hashOf(token, 'base64url')

export async function issueRegistrationLink(actor: Actor, { clock }: Pick<Services, 'clock'>) {
  const now = clock.now()
  const token = randomBytes(32).toString('base64url')
  const link: RegistrationLinkDoc = {
    _id: await nextId('lti_registration_links'),
    token_hash: hashToken(token),
    created_by: actor.id,
    created_at: now,
    expires_at: new Date(now.getTime() + LINK_TTL_MS),
    busy_until: null,
    used_at: null,
    platform_id: null,
    failed: null,
    forget_at: new Date(now.getTime() + LINK_TTL_MS + RETENTION_MS),
  }
  await RegistrationLinkModel.create(link)
  const change = { after: { expires_at: link.expires_at } }
  await recordAudit(actor, 'lms.link_made', { registration_link_id: link._id }, now, change)
  return { link, token }
}

/** @throws {AppError} 404 when there is none, or it was revoked already */
export async function deleteRegistrationLink(id: number, actor: Actor, { clock }: Pick<Services, 'clock'>) {
  const { deletedCount } = await RegistrationLinkModel.deleteOne({ _id: id })
  if (deletedCount === 0) throw notFound('This registration link does not exist.')
  await recordAudit(actor, 'lms.link_taken_back', { registration_link_id: id }, clock.now())
}

export function findRegistrationLink(token: string): Promise<RegistrationLinkDoc | null> {
  return RegistrationLinkModel.findOne({ token_hash: hashToken(token) }).lean()
}

/** Of two concurrent requests, one gets it. @throws {LtiRefusal} `registration_link`, `registration_busy` */
export async function lockRegistrationLink(link: RegistrationLinkDoc, now: Date): Promise<void> {
  const free = { $or: [{ busy_until: null }, { busy_until: { $lte: now } }] }
  const locked = await RegistrationLinkModel.updateOne(
    { _id: link._id, used_at: null, expires_at: { $gt: now }, ...free },
    { $set: { busy_until: new Date(now.getTime() + LOCK_MS) } },
  )
  if (locked.modifiedCount > 0) return
  const open = await RegistrationLinkModel.exists({ _id: link._id, used_at: null, expires_at: { $gt: now } })
  throw new LtiRefusal(open ? 'registration_busy' : 'registration_link')
}

export async function markRegistrationLinkUsed(link: RegistrationLinkDoc, platformId: number, now: Date) {
  await RegistrationLinkModel.updateOne(
    { _id: link._id },
    { $set: { used_at: now, platform_id: platformId, failed: null, busy_until: null } },
  )
}

export async function unlockRegistrationLink(link: RegistrationLinkDoc, why: LtiRefusal | null, now: Date) {
  const failed = why && { at: now, code: why.code, detail: why.detail }
  await RegistrationLinkModel.updateOne(
    { _id: link._id },
    { $set: { busy_until: null, ...(failed ? { failed } : {}) } },
  )
}

export function findRecentRegistrationLinks(): Promise<RegistrationLinkDoc[]> {
  return RegistrationLinkModel.find().sort({ _id: -1 }).limit(50).lean()
}

export async function presentRegistrationLinks(links: RegistrationLinkDoc[], now: Date): Promise<RegistrationLink[]> {
  const names = await platformNamesById(links.flatMap(({ platform_id }) => platform_id ?? []))
  const users = await usersById([...new Set(links.map(({ created_by }) => created_by))])
  return links.map((link) => {
    const name = names.get(link.platform_id ?? 0)
    const why = explainRefusal(link.failed?.code ?? null)
    return {
      id: link._id,
      state: link.used_at ? 'used' : link.expires_at <= now ? 'expired' : 'open',
      created_at: link.created_at.toISOString(),
      expires_at: link.expires_at.toISOString(),
      created_by: users.get(link.created_by)?.username ?? null,
      platform: name !== undefined && link.platform_id ? { id: link.platform_id, name } : null,
      failed: link.failed && why && { at: link.failed.at.toISOString(), ...why, detail: link.failed.detail },
    }
  })
}
