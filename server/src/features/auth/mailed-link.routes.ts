import { acceptInvitation, confirmEmail, lookAtLink, resendConfirmation } from '@assay/shared/auth.ts'
import { Router } from 'express'
import { allow } from '../../lib/allow.ts'
import { AppError } from '../../lib/app-error.ts'
import { handle } from '../../lib/handle.ts'
import { byAddress, byClaimedUser, limitCalls } from '../../lib/rate-limit.ts'
import type { Services } from '../../services.ts'
import { recordAudit } from '../admin/audit.service.ts'
import { enrolConfirmed } from '../courses/enrollment.service.ts'
import { claimAccount, confirmAddress, findAddressee } from '../users/account.service.ts'
import { presentUser, requireUser } from '../users/user.service.ts'
import { postLinkMail } from './link-mail.ts'
import { findMailedLink, forgetMailedLinks, type LinkPurpose, spendMailedLink } from './mailed-link.ts'
import { hashPassword } from './password.ts'
import { startSession } from './session.service.ts'

export function mailedLinkRoutes(services: Services): Router {
  const { clock, settings } = services
  const router = Router()
  router.post(
    resendConfirmation.path,
    limitCalls({ minutes: 60, limit: settings.limit('limit_reset'), key: byClaimedUser }),
  )
  router.post(
    acceptInvitation.path,
    limitCalls({ minutes: 60, limit: settings.limit('limit_registration'), key: byAddress }),
  )

  async function requireLink(token: string, purposes: LinkPurpose[]) {
    const link = await findMailedLink(token, purposes, clock.now())
    const user = link && (await findAddressee(link))
    if (!link || !user) throw new AppError('link_invalid')
    return { link, user }
  }

  handle(router, lookAtLink, async ({ body }) => {
    const { link, user } = await requireLink(body.token, ['reset', 'confirm', 'invitation'])
    const { username, email, full_name } = user
    return { purpose: link.purpose, username, email, full_name, registered_at: user.created_at.toISOString() }
  })

  handle(router, confirmEmail, async ({ body, actor }) => {
    const { link } = await requireLink(body.token, ['confirm'])
    // Two proofs: the mailbox by the link, the account by the session. One alone would hand an account over.
    allow(link.user_id === actor.id ? 'yes' : 'forbidden')
    const spent = await spendMailedLink(body.token, ['confirm'], clock.now())
    const user = spent && (await confirmAddress(spent, clock.now()))
    if (!user) throw new AppError('link_invalid')
    await enrolConfirmed(user._id, clock.now())
    await recordAudit(actor, 'user.email_confirmed', { user_id: user._id }, clock.now())
    return presentUser(user)
  })

  handle(router, resendConfirmation, async ({ actor }) => {
    allow('yes') // Oneself.
    const user = await requireUser(actor.id)
    if (user.from_lms)
      throw new AppError('conflict', 'Your LMS vouches for you. There is nothing to confirm.')
    if (user.email_verified_at != null) return { message: 'Your address is confirmed already.' }
    await postLinkMail([{ kind: 'confirm', userId: user._id }], services)
    return { message: `A link to confirm your address is on its way to ${user.email}.` }
  })

  handle(router, acceptInvitation, async ({ body }) => {
    const { token, password, ...claim } = body
    const { link } = await requireLink(token, ['invitation'])
    const password_hash = await hashPassword(password)
    const user = await claimAccount(link, { ...claim, password_hash }, clock.now())
    if (!user) throw new AppError('link_invalid')
    await forgetMailedLinks(user._id)
    await enrolConfirmed(user._id, clock.now())
    return { access_token: await startSession(user, services), token_type: 'bearer' as const }
  })

  return router
}
