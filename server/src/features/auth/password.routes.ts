import { changePassword, forgotPassword, resetPassword } from '@assay/shared/auth.ts'
import type { Request, Router } from 'express'
import { recordAudit } from '../../audit/audit.service.ts'
import { keyByIpAddress, limitRequests } from '../../cluster/redis/rate-limit.ts'
import { allow } from '../../lib/http/allow.ts'
import { AppError, invalidField } from '../../lib/http/app-error.ts'
import { handle } from '../../lib/http/handle.ts'
import type { Services } from '../../services.ts'
import { activatePendingEnrollments } from '../courses/enrollment.service.ts'
import { setPassword, setPasswordByLink } from '../users/account.service.ts'
import { requireUser } from '../users/user.service.ts'
import type { CheckPassword } from './check-password.ts'
import { DEVICE_COOKIE, deviceCookieFor } from './known-device.ts'
import { queueLinkMails } from './link-mail.ts'
import { consumeMailedLink, findMailedLink, revokeMailedLinks } from './mailed-link.ts'
import { hashPassword } from './password-hash.ts'
import { endSessionsOfUser } from './session.service.ts'

const RESET_MAIL_SENT_MESSAGE = 'If there is an account with this address, a link to set a new password is on its way.'
const INVALID_LINK_MESSAGE = 'Invalid reset link. Please request a new password reset.'

function requestedEmail(request: Request): string {
  const email: unknown = request.body?.email
  return typeof email === 'string' ? email.trim().toLowerCase().slice(0, 254) : ''
}

export function passwordRoutes(router: Router, services: Services, checkPassword: CheckPassword): void {
  const { clock, config, settings } = services

  // The first limit is for one network; the second for one mailbox, so that nobody can use up another's.
  router.post(
    forgotPassword.path,
    limitRequests(services, {
      name: 'forgotten password',
      limit: settings.limit('limit_registration'),
      key: keyByIpAddress,
    }),
    limitRequests(services, {
      name: 'forgotten password of one',
      limit: settings.limit('limit_reset'),
      key: (r) => `${keyByIpAddress(r)} ${requestedEmail(r)}`,
    }),
  )

  handle(router, forgotPassword, async ({ body }) => {
    await queueLinkMails([{ kind: 'reset', email: body.email }], services)
    return { message: RESET_MAIL_SENT_MESSAGE }
  })

  handle(router, resetPassword, async ({ body, cookie, setCookie }) => {
    const now = clock.now()
    // Checked first, as hashing is slow on purpose.
    if (!(await findMailedLink(body.token, ['reset'], now))) throw new AppError('link_invalid', INVALID_LINK_MESSAGE)
    const password_hash = await hashPassword(body.new_password)
    const link = await consumeMailedLink(body.token, ['reset'], now)
    const user = link && (await setPasswordByLink(link, password_hash, now))
    if (!user) throw new AppError('link_invalid', INVALID_LINK_MESSAGE)
    await revokeMailedLinks(user._id)
    // Including those of somebody who registered the address without owning it.
    await endSessionsOfUser(user._id, services)
    await activatePendingEnrollments(user._id, now)
    const owner = { id: user._id, role: user.role, sessionId: 'mailed-link' }
    await recordAudit(owner, 'user.password_reset', { user_id: user._id }, now)
    // The mailbox's owner gets in even while others guess the password.
    setCookie(...deviceCookieFor(user, cookie(DEVICE_COOKIE), config, now))
    return { message: 'Your password is set. Please log in.' }
  })

  handle(router, changePassword, async ({ body, actor, address, cookie, setCookie }) => {
    allow('yes') // Oneself.
    const user = await requireUser(actor.id)
    // Counted with wrong ones at signing in: a stolen session must not allow guessing.
    const given = { username: user.username, password: body.current_password, user }
    if (!(await checkPassword({ address, device: cookie(DEVICE_COOKIE) }, given)))
      throw invalidField('current_password', 'Current password is incorrect', 'password')
    const password_hash = await hashPassword(body.new_password)
    if (!(await setPassword(user, password_hash, clock.now())))
      throw new AppError('conflict', 'Your password has just been changed. Please sign in again.')
    await revokeMailedLinks(user._id)
    await endSessionsOfUser(user._id, services, actor.sessionId)
    await recordAudit(actor, 'user.password_changed', { user_id: user._id }, clock.now())
    setCookie(...deviceCookieFor({ ...user, password_hash }, cookie(DEVICE_COOKIE), config, clock.now()))
    return {
      message: 'Your password has been changed. You are still signed in here and signed out everywhere else.',
    }
  })
}
