import { createHmac, randomBytes } from 'node:crypto'
import type { CookieOptions } from 'express'
import { ipNetworkOf } from '../../cluster/redis/rate-limit.ts'
import type { Config } from '../../config.ts'
import type { Clock } from '../../lib/clock.ts'
import { AppError, tooManyRequests } from '../../lib/http/app-error.ts'
import { isSameSecret } from '../../lib/security/hash-of.ts'
import { type SignInFailureDoc, SignInFailureModel } from '../../records/people/sign-in-failure.model.ts'
import type { UserDoc } from '../../records/people/user.model.ts'
import type { Services } from '../../services.ts'
import { findUserByLogin, normalizeLogin } from '../users/user.service.ts'
import { verifyPassword } from './password-hash.ts'

/** With it a browser may sign in while strangers guess the password, until that changes (OWASP, “device cookies”). */
export const DEVICE_COOKIE = 'assay-devices'

const LIFETIME_MS = 180 * 24 * 60 * 60 * 1000

const MAX_ACCOUNTS = 5

type Secrets = Pick<Config, 'secretKey'>

const sign = (text: string, { password_hash }: UserDoc, { secretKey }: Secrets): Buffer =>
  createHmac('sha256', `${secretKey}/device`).update(`${text}.${password_hash}`).digest()

/** `user.nonce.expiry.signature`, for each account. */
const entriesOf = (cookie: string | null) => (cookie ?? '').split('~').filter((entry) => entry.split('.').length === 4)

function knownDeviceOf(user: UserDoc | null, cookie: string | null, secrets: Secrets, now: Date): string | null {
  if (user?.password_hash == null) return null
  for (const entry of entriesOf(cookie).slice(0, MAX_ACCOUNTS)) {
    const [id, nonce = '', expires, signature = ''] = entry.split('.')
    if (id !== String(user._id) || !(Number(expires) > now.getTime())) continue
    const right = sign(`${id}.${nonce}.${expires}`, user, secrets)
    if (isSameSecret(Buffer.from(signature, 'base64url'), right)) return nonce
  }
  return null
}

export function deviceCookieFor(
  user: UserDoc,
  cookie: string | null,
  config: Pick<Config, 'secretKey' | 'publicUrl'>,
  now: Date,
): [name: string, value: string, options: CookieOptions] {
  const text = `${user._id}.${randomBytes(12).toString('base64url')}.${now.getTime() + LIFETIME_MS}`
  const mine = `${text}.${sign(text, user, config).toString('base64url')}`
  const others = entriesOf(cookie).filter((entry) => !entry.startsWith(`${user._id}.`))
  return [
    DEVICE_COOKIE,
    [mine, ...others].slice(0, MAX_ACCOUNTS).join('~'),
    {
      // Also for deleting the account, which asks for the password.
      path: '/api/v1',
      httpOnly: true,
      secure: config.publicUrl.startsWith('https:'),
      sameSite: 'strict',
      maxAge: LIFETIME_MS,
    },
  ]
}

export type CheckPassword = (
  from: { address: string; device: string | null },
  given: { username: string; password: string; user?: UserDoc },
) => Promise<UserDoc | null>

/** Shared by all routes that check passwords, so that wrong ones count together. */
export function createPasswordCheck({ settings, clock, config }: Services): CheckPassword {
  const limits = { account: settings.limit('limit_sign_in_account'), address: settings.limit('limit_sign_in_address') }
  const signInLimit = createSignInLimit(limits, clock, config.secretKey)
  return async ({ address, device: cookie }, { username, password, ...given }) => {
    const user = given.user ?? (await findUserByLogin(username))
    const device = knownDeviceOf(user, cookie, config, clock.now())
    const isRight = await signInLimit.attempt({ address, login: username, user, device }, () =>
      verifyPassword(password, user?.password_hash ?? null, { first: device !== null }),
    )
    return isRight ? user : null
  }
}

export function assertAccountUsable({ account }: UserDoc): void {
  if (account === 'pending') throw new AppError('account_pending')
  if (account === 'deactivated') throw new AppError('account_deactivated')
}

const ADDRESSES_PER_ACCOUNT = 3

const MAX_WAITING = 1000

interface SignInLimits {
  account: () => Promise<number>
  address: () => Promise<number>
}

interface SignInAttempt {
  address: string
  login: string
  user: UserDoc | null
  device: string | null
}

interface InProgress {
  users: number
  inFlight: number
  ended: number
  waiting: (() => void)[]
}

/**
 * Counts wrong passwords in leaky buckets by account and address, by account, and by address. A known device has only a
 * limit of its own, so nobody can lock an owner out. As a lecture hall has one address, attempts that may still succeed
 * wait, and a success refunds the address, but not the account, whose failures may be another's. Other processes'
 * attempts in progress are not counted, so a limit may be exceeded slightly.
 */
function createSignInLimit(limits: SignInLimits, clock: Clock, secretKey: string) {
  const failures = createFailureStore(secretKey)
  const inProgress = new Map<string, InProgress>()
  const now = () => clock.now().getTime()

  function acquire(key: string): InProgress {
    const place = inProgress.get(key) ?? { users: 0, inFlight: 0, ended: 0, waiting: [] }
    inProgress.set(key, place)
    place.users++
    return place
  }

  function release(limits: FailureLimit[]): void {
    for (const { key } of limits) {
      const place = inProgress.get(key)
      if (place && --place.users === 0) inProgress.delete(key)
    }
  }

  async function enter(wanted: FailureLimit[]): Promise<{ leave: () => void } | { retryMs: number }> {
    const places = wanted.map((limit) => ({ limit, place: acquire(limit.key) }))
    const refused = (retryMs: number) => {
      release(wanted)
      return { retryMs }
    }
    for (;;) {
      const ended = places.map(({ place }) => place.ended)
      const emptyAt = await failures.emptyAt(wanted)
      // An attempt that ended while the failures were read may have added to them.
      if (places.some(({ place }, i) => place.ended !== ended[i])) continue
      const waitMs = (limit: FailureLimit, inFlight: number) =>
        msUntilAllowed(limit, emptyAt.get(limit.key) ?? 0, inFlight, now())
      const retryMs = Math.max(...wanted.map((limit) => waitMs(limit, 0)))
      if (retryMs > 0) return refused(retryMs)
      const full = places.find(({ limit, place }) => waitMs(limit, place.inFlight) > 0)
      if (!full) break
      if (full.place.waiting.length >= MAX_WAITING) return refused(1000)
      await new Promise<void>((resolve) => full.place.waiting.push(resolve))
    }
    for (const { place } of places) place.inFlight++
    return {
      leave() {
        for (const { place } of places) {
          place.inFlight--
          place.ended++
          for (const wake of place.waiting.splice(0)) wake()
        }
        release(wanted)
      },
    }
  }

  return {
    /** @throws {AppError} `rate_limit_exceeded` */
    async attempt({ address, login, user, device }: SignInAttempt, check: () => Promise<boolean>): Promise<boolean> {
      const [perAddress, perAccount] = await Promise.all([limits.address(), limits.account()])
      const network = ipNetworkOf(address)
      // By account, so that its username and its address count together.
      const account = user ? `#${user._id}` : normalizeLogin(login)
      const byAddress = { key: `address ${network}`, capacity: perAddress }
      const byPair = { key: `pair ${network} ${account}`, capacity: perAccount }
      const byAccount = { key: `account ${account}`, capacity: perAccount * ADDRESSES_PER_ACCOUNT }
      const byDevice = device === null ? null : { key: `device ${device}`, capacity: perAccount }

      const known = byDevice && (await enter([byDevice]))
      const counted = known && 'leave' in known && byDevice ? [byDevice] : [byAddress, byPair, byAccount]
      const entered = known && 'leave' in known ? known : await enter(counted)
      if (!('leave' in entered)) throw tooManyRequests(Math.ceil(entered.retryMs / 1000))
      const refundable = { part: byPair, of: byAddress }
      try {
        const isRight = await check()
        if (isRight) await failures.refund(refundable, now())
        else await failures.add(counted, counted.includes(byPair) ? refundable : null, now())
        return isRight
      } finally {
        entered.leave()
      }
    },
  }
}

const WINDOW_MS = 15 * 60_000

/** Holds `capacity` failures and leaks them steadily in `WINDOW_MS`. */
interface FailureLimit {
  key: string
  capacity: number
}

/** Failures of `part` that count in `of` too. */
interface Refundable {
  part: FailureLimit
  of: FailureLimit
}

const leakMs = ({ capacity }: FailureLimit) => WINDOW_MS / capacity

/** 0 or less when an attempt is allowed now. */
function msUntilAllowed(limit: FailureLimit, emptyAt: number, inFlight: number, now: number): number {
  const levelMs = Math.max(0, emptyAt - now) + inFlight * leakMs(limit)
  return levelMs + leakMs(limit) - WINDOW_MS
}

/** In the database, so that all processes count together and a restart forgets nothing. */
function createFailureStore(secretKey: string) {
  const idOf = (key: string) => createHmac('sha256', `${secretKey}/sign-in`).update(key).digest('base64url')

  /** Two steps that may interleave with another process's: what has leaked by now, and one more. */
  function addOne(key: string, field: 'empty_at' | 'refundable_until', leak: number, now: number) {
    const filter = { _id: idOf(key) }
    const expires_at = new Date(now + 2 * WINDOW_MS)
    return [
      { updateOne: { filter, update: { $max: { [field]: now, expires_at } }, upsert: true } },
      { updateOne: { filter, update: { $inc: { [field]: leak } } } },
    ]
  }

  return {
    /** In ms since the epoch; 0 without any failure. */
    async emptyAt(limits: FailureLimit[]): Promise<Map<string, number>> {
      const rows = await SignInFailureModel.find({ _id: { $in: limits.map(({ key }) => idOf(key)) } }).lean()
      const byId = new Map(rows.map((row) => [row._id, row.empty_at]))
      return new Map(limits.map(({ key }) => [key, byId.get(idOf(key)) ?? 0]))
    },

    async add(limits: FailureLimit[], refundable: Refundable | null, now: number) {
      const writes = limits.flatMap((limit) => addOne(limit.key, 'empty_at', leakMs(limit), now))
      if (refundable) writes.push(...addOne(refundable.part.key, 'refundable_until', leakMs(refundable.of), now))
      await SignInFailureModel.bulkWrite(writes)
    },

    async refund({ part, of }: Refundable, now: number): Promise<void> {
      const filter = { _id: idOf(part.key), refundable_until: { $gt: now } }
      const before: Pick<SignInFailureDoc, 'refundable_until'> | null = await SignInFailureModel.findOneAndUpdate(
        filter,
        { $set: { refundable_until: 0 } },
        { returnDocument: 'before' },
      ).lean()
      if (!before?.refundable_until) return
      await SignInFailureModel.updateOne({ _id: idOf(of.key) }, { $inc: { empty_at: now - before.refundable_until } })
    },
  }
}
