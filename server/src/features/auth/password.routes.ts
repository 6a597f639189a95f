import { changePassword, forgotPassword, resetPassword } from '@assay/shared/auth.ts'
import { type Request, Router } from 'express'
import { allow } from '../../lib/allow.ts'
import { AppError } from '../../lib/app-error.ts'
import { handle } from '../../lib/handle.ts'
import { byAddress, byClaimedUser, limitCalls } from '../../lib/rate-limit.ts'
import type { Services } from '../../services.ts'
import { recordAudit } from '../admin/audit.service.ts'
import { enrolConfirmed } from '../courses/enrollment.service.ts'
import { setPassword, setPasswordByLink } from '../users/account.service.ts'
import { requireUser } from '../users/user.service.ts'
import { postLinkMail } from './link-mail.ts'
import { findMailedLink, forgetMailedLinks, spendMailedLink } from './mailed-link.ts'
import { hashPassword, passwordMatches } from './password.ts'
import { endSessionsOf } from './session.service.ts'

const MAILED = 'If an account has this address, a link to set a new password is on its way.'
const INVALID = 'Invalid reset link. Please request a new password reset.'

function mailboxOf(request: Request): string {
  const email: unknown = request.body?.email
  return typeof email === 'string' ? email.trim().toLowerCase().slice(0, 254) : ''
}

export function passwordRoutes(services: Services): Router {
  const { clock, settings } = services
  const router = Router()

  // The first counts what one place asks for one mailbox, so that nobody can use up another's; the second what one place asks.
  router.post(
    forgotPassword.path,
    limitCalls({ minutes: 60, limit: settings.limit('limit_registration'), key: byAddress }),
    limitCalls({
      minutes: 60,
      limit: settings.limit('limit_reset'),
      key: (r) => `${byAddress(r)} ${mailboxOf(r)}`,
    }),
  )
  // A stolen session is no way to try passwords.
  router.post(
    changePassword.path,
    limitCalls({
      minutes: 15,
      limit: settings.limit('limit_sign_in_account'),
      key: byClaimedUser,
      countOnly: 422,
    }),
  )

  handle(router, forgotPassword, async ({ body }) => {
    await postLinkMail([{ kind: 'reset', email: body.email }], services)
    return { message: MAILED }
  })

  handle(router, resetPassword, async ({ body }) => {
    const now = clock.now()
    // Asked first, as hashing is slow on purpose: a wrong link costs nothing.
    if (!(await findMailedLink(body.token, ['reset'], now))) throw new AppError('link_invalid', INVALID)
    const password_hash = await hashPassword(body.new_password)
    const link = await spendMailedLink(body.token, ['reset'], now)
    const user = link && (await setPasswordByLink(link, password_hash, now))
    if (!user) throw new AppError('link_invalid', INVALID)
    await forgetMailedLinks(user._id)
    // Whoever was in, with the old password or by having registered another's address, is out.
    await endSessionsOf(user._id, services)
    await enrolConfirmed(user._id, now)
    const owner = { id: user._id, role: user.role, sessionId: 'mailed-link' }
    await recordAudit(owner, 'user.password_reset', { user_id: user._id }, now)
    return { message: 'Your password is set. Please log in.' }
  })

  handle(router, changePassword, async ({ body, actor }) => {
    allow('yes') // Oneself.
    const user = await requireUser(actor.id)
    if (!(await passwordMatches(body.current_password, user.password_hash))) {
      const wrong = {
        loc: ['body', 'current_password'],
        msg: 'Current password is incorrect',
        type: 'password',
      }
      throw new AppError('validation_failed', undefined, { details: [wrong] })
    }
    if (!(await setPassword(user, await hashPassword(body.new_password), clock.now())))
      throw new AppError('conflict', 'Your password was changed a moment ago. Please sign in again.')
    await forgetMailedLinks(user._id)
    await endSessionsOf(user._id, services, actor.sessionId)
    await recordAudit(actor, 'user.password_changed', { user_id: user._id }, clock.now())
    return {
      message: 'Your password is changed. You stay signed in here and are signed out everywhere else.',
    }
  })

  return router
}
