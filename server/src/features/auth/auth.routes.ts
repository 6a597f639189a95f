import {
  getCsrfToken,
  getDemo,
  getMe,
  registerInstructor,
  registerStudent,
  signIn,
  signInToDemo,
  signOut,
} from '@assay/shared/auth.ts'
import { CSRF_HEADER } from '@assay/shared/http/csrf.ts'
import type { Router } from 'express'
import { createWindowCounter, ipNetworkOf, keyByIpAddress, limitRequests } from '../../cluster/redis/rate-limit.ts'
import { nextId } from '../../lib/database/database.ts'
import { allow } from '../../lib/http/allow.ts'
import { AppError, notFound } from '../../lib/http/app-error.ts'
import { handle } from '../../lib/http/handle.ts'
import type { UserDoc } from '../../records/people/user.model.ts'
import type { Services } from '../../services.ts'
import {
  duplicateError,
  findDemoUsers,
  type NewUser,
  newUserDoc,
  presentUser,
  requireUser,
  storeNewUser,
} from '../users/user.service.ts'
import { assertAccountUsable, type CheckPassword } from './check-password.ts'
import { createCsrfToken } from './csrf-token.ts'
import { DEVICE_COOKIE, deviceCookieFor } from './known-device.ts'
import { queueLinkMails } from './link-mail.ts'
import { hashPassword } from './password-hash.ts'
import { endSessions, requireActor, startSession } from './session.service.ts'

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

/** Counts only usernames found taken: a lecture hall registers from one address, and a free name is no guess. */
function createTakenNameLimit({ clock, redis }: Pick<Services, 'clock' | 'redis'>) {
  const now = () => clock.now().getTime()
  const told = createWindowCounter({ name: 'taken username', windowMs: HOUR_MS, redis, now })
  /** @throws {AppError} `rate_limit_exceeded` */
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

/**
 * For a registered address nothing is stored, but the reply is the same: only the mailbox learns of it.
 * @throws {AppError} `duplicate` for a taken username; `rate_limit_exceeded` once the address was told too many of them
 */
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
  // With an id of its own, which no account ever gets.
  return user ?? newUserDoc(await nextId('users'), account, now)
}
