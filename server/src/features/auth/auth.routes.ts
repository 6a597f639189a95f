import {
  acceptInvitation,
  changePassword,
  confirmEmail,
  forgotPassword,
  getCsrfToken,
  getDemo,
  getMailedLink,
  getMe,
  registerInstructor,
  registerStudent,
  resendConfirmation,
  resetPassword,
  signIn,
  signInToDemo,
  signOut,
} from '@assay/shared/auth.ts'
import { CSRF_HEADER } from '@assay/shared/http/csrf.ts'
import type { Request, Router } from 'express'
import { recordAudit } from '../../audit/audit.service.ts'
import { createWindowCounter, ipNetworkOf, keyByIpAddress, limitRequests } from '../../cluster/redis/rate-limit.ts'
import { nextId } from '../../lib/database/database.ts'
import { AppError, invalidField, notFound } from '../../lib/http/app-error.ts'
import { allow, handle } from '../../lib/http/handle.ts'
import type { LinkPurpose } from '../../records/people/mailed-link.model.ts'
import type { UserDoc } from '../../records/people/user.model.ts'
import type { Services } from '../../services.ts'
import { activatePendingEnrollments } from '../courses/enrollment.service.ts'
import {
  claimAccount,
  findLinkRecipient,
  markEmailVerified,
  setPassword,
  setPasswordByLink,
} from '../users/account.service.ts'
import {
  duplicateError,
  findDemoUsers,
  type NewUser,
  newUserDoc,
  presentUser,
  requireUser,
  storeNewUser,
} from '../users/user.service.ts'
import { assertAccountUsable, type CheckPassword, DEVICE_COOKIE, deviceCookieFor } from './check-password.ts'
import { consumeMailedLink, findMailedLink, queueLinkMails, revokeMailedLinks } from './link-mail.ts'
import { hashPassword } from './password-hash.ts'
import { createCsrfToken, endSessions, endSessionsOfUser, requireActor, startSession } from './session.service.ts'

const bearerToken = (access_token: string) => ({ access_token, token_type: 'bearer' as const })

export function authRoutes(router: Router, services: Services, checkPassword: CheckPassword): void {
  const { config, clock, settings } = services

  const registrations = limitRequests(services, {
    name: 'registration',
    limit: settings.limit('limit_registration'),
    key: keyByIpAddress,
  })
  router.post([registerStudent.path, registerInstructor.path], registrations)
  const countTakenName = createTakenNameLimit(services)

  handle(router, signIn, async ({ body, address, cookie, setCookie }) => {
    const device = cookie(DEVICE_COOKIE)
    const user = await checkPassword({ address, device }, body)
    if (!user) throw new AppError('invalid_credentials')
    assertAccountUsable(user)
    const token = await startSession(user, services)
    setCookie(...deviceCookieFor(user, device, config, clock.now()))
    return bearerToken(token)
  })

  handle(router, getMe, async ({ actor, setHeader }) => {
    allow('yes') // Oneself.
    setHeader(CSRF_HEADER, createCsrfToken(actor.sessionId, config.secretKey, clock.now()))
    // With the role of the session, which in an LMS's course may differ from the account's.
    return { ...presentUser(await requireUser(actor.id)), role: actor.role }
  })

  handle(router, getCsrfToken, async ({ bearer: token }) => {
    const actor = token ? await requireActor(token, services).catch(() => null) : null
    return { csrf_token: createCsrfToken(actor?.sessionId ?? null, config.secretKey, clock.now()) }
  })

  handle(router, signOut, async ({ actor }) => {
    allow('yes') // Oneself.
    await endSessions([actor.sessionId], services)
    return { message: 'Signed out.' }
  })

  handle(router, registerStudent, async ({ body, address }) => {
    const { password, ...rest } = body
    const account = { ...rest, role: 'student' as const, password_hash: await hashPassword(password) }
    return presentUser(await registerAccount(account, { address, countTakenName }, services))
  })

  handle(router, registerInstructor, async ({ body, address }) => {
    const { instructor_registration } = await settings.current()
    if (instructor_registration === 'closed') throw new AppError('registration_closed')
    const { password, ...rest } = body
    const account = instructor_registration === 'open' ? ('active' as const) : ('pending' as const)
    const user = { ...rest, account, password_hash: await hashPassword(password) }
    return presentUser(await registerAccount(user, { address, countTakenName }, services))
  })

  handle(router, getDemo, async () => {
    const users = config.demo ? await findDemoUsers() : []
    const roles = ['instructor', 'student'] as const
    return {
      accounts: roles.flatMap((role) => {
        const user = users.find((candidate) => candidate.role === role)
        return user ? [{ role, full_name: user.full_name ?? user.username }] : []
      }),
    }
  })

  handle(router, signInToDemo, async ({ body }) => {
    const user = config.demo ? (await findDemoUsers()).find((candidate) => candidate.role === body.role) : undefined
    if (!user) throw notFound('This server has no demo.')
    return bearerToken(await startSession(user, services))
  })
}

const HOUR_MS = 60 * 60_000
const MAX_TAKEN_NAMES_PER_HOUR = 60

/** Counts only usernames found taken: a lecture hall registers from one address. */
function createTakenNameLimit({ clock, redis }: Pick<Services, 'clock' | 'redis'>) {
  const now = () => clock.now().getTime()
  const told = createWindowCounter('taken username', HOUR_MS, redis, now)
  return async (address: string): Promise<void> => {
    const { hits, resetsAt } = await told.hit(ipNetworkOf(address))
    if (hits <= MAX_TAKEN_NAMES_PER_HOUR) return
    throw new AppError(
      'rate_limit_exceeded',
      'Many usernames that are taken were tried from your network. Choose one that nobody else would have.',
      { retryAfter: Math.ceil((resetsAt - now()) / 1000) },
    )
  }
}

/** Replies alike for a registered address, which is told. @throws {AppError} `duplicate`, `rate_limit_exceeded` */
async function registerAccount(
  account: NewUser,
  { address, countTakenName }: { address: string; countTakenName: (address: string) => Promise<void> },
  { clock, jobs }: Services,
): Promise<UserDoc> {
  const now = clock.now()
  const { user, taken } = await storeNewUser(account, now)
  if (taken === 'username') {
    await countTakenName(address)
    throw duplicateError(taken)
  }
  const mail = user
    ? ({ kind: 'confirm', userId: user._id } as const)
    : ({ kind: 'registered', email: account.email } as const)
  await queueLinkMails([mail], { jobs })
  // With an id that no account ever gets.
  return user ?? newUserDoc(await nextId('users'), account, now)
}

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
    return { message: 'Your password has been changed. You are still signed in here and signed out everywhere else.' }
  })
}

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
    // Two proofs, link and session: one alone would allow taking over an account.
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
    return bearerToken(await startSession(user, services))
  })
}
