import { acceptInvitation, confirmEmail, getMailedLink, resendConfirmation } from '@assay/shared/auth.ts'
import type { Router } from 'express'
import { recordAudit } from '../../audit/audit.service.ts'
import { keyByIpAddress, limitRequests } from '../../cluster/redis/rate-limit.ts'
import { allow } from '../../lib/http/allow.ts'
import { AppError } from '../../lib/http/app-error.ts'
import { handle } from '../../lib/http/handle.ts'
import type { LinkPurpose } from '../../records/people/mailed-link.model.ts'
import type { Services } from '../../services.ts'
import { activatePendingEnrollments } from '../courses/enrollment.service.ts'
import { claimAccount, findLinkRecipient, markEmailVerified } from '../users/account.service.ts'
import { presentUser, requireUser } from '../users/user.service.ts'
import { DEVICE_COOKIE, deviceCookieFor } from './known-device.ts'
import { queueLinkMails } from './link-mail.ts'
import { consumeMailedLink, findMailedLink, revokeMailedLinks } from './mailed-link.ts'
import { hashPassword } from './password-hash.ts'
import { startSession } from './session.service.ts'

export function mailedLinkRoutes(router: Router, services: Services): void {
  const { clock, settings } = services
  router.post(
    resendConfirmation.path,
    limitRequests(services, { name: 'confirmation', limit: settings.limit('limit_reset') }),
  )
  router.post(
    acceptInvitation.path,
    limitRequests(services, { name: 'invitation', limit: settings.limit('limit_registration'), key: keyByIpAddress }),
  )

  async function requireLink(token: string, purposes: LinkPurpose[]) {
    const link = await findMailedLink(token, purposes, clock.now())
    const user = link && (await findLinkRecipient(link))
    if (!link || !user) throw new AppError('link_invalid')
    return { link, user }
  }

  handle(router, getMailedLink, async ({ body }) => {
    const { link, user } = await requireLink(body.token, ['reset', 'confirm', 'invitation'])
    const { username, email, full_name } = user
    return { purpose: link.purpose, username, email, full_name, registered_at: user.created_at.toISOString() }
  })

  handle(router, confirmEmail, async ({ body, actor }) => {
    const { link } = await requireLink(body.token, ['confirm'])
    // Two proofs: the mailbox by the link, the account by the session. One alone would allow taking over an account.
    allow(link.user_id === actor.id ? 'yes' : 'forbidden')
    const spent = await consumeMailedLink(body.token, ['confirm'], clock.now())
    const user = spent && (await markEmailVerified(spent, clock.now()))
    if (!user) throw new AppError('link_invalid')
    await activatePendingEnrollments(user._id, clock.now())
    await recordAudit(actor, 'user.email_confirmed', { user_id: user._id }, clock.now())
    return presentUser(user)
  })

  handle(router, resendConfirmation, async ({ actor }) => {
    allow('yes') // Oneself.
    const user = await requireUser(actor.id)
    if (user.from_lms)
      throw new AppError('conflict', 'Your account comes from your LMS, so there is no address to confirm.')
    if (user.email_verified_at != null) return { message: 'Your address is already confirmed.' }
    await queueLinkMails([{ kind: 'confirm', userId: user._id }], services)
    return { message: `A link to confirm your address is on its way to ${user.email}.` }
  })

  handle(router, acceptInvitation, async ({ body, cookie, setCookie }) => {
    const { token, password, ...claim } = body
    const { link } = await requireLink(token, ['invitation'])
    const password_hash = await hashPassword(password)
    const user = await claimAccount(link, { ...claim, password_hash }, clock.now())
    if (!user) throw new AppError('link_invalid')
    await revokeMailedLinks(user._id)
    await activatePendingEnrollments(user._id, clock.now())
    setCookie(...deviceCookieFor(user, cookie(DEVICE_COOKIE), services.config, clock.now()))
    return { access_token: await startSession(user, services), token_type: 'bearer' as const }
  })
}
