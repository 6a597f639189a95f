import { ipNetworkOf } from '../../cluster/redis/rate-limit.ts'
import type { Clock } from '../../lib/clock.ts'
import { tooManyRequests } from '../../lib/http/app-error.ts'
import type { UserDoc } from '../../records/people/user.model.ts'
import { normalizeLogin } from '../users/user.service.ts'
import { createFailureStore, type FailureLimit, msUntilAllowed } from './sign-in-failures.ts'

/** An account may fail so many times as often from all addresses together as from one. */
const ADDRESSES_PER_ACCOUNT = 3

/** How many may wait for others of their address, before they are refused. */
const MAX_WAITING = 1000

interface SignInLimits {
  account: () => Promise<number>
  address: () => Promise<number>
}

interface SignInAttempt {
  address: string
  login: string
  /** Whose login it is; null for nobody's. */
  user: UserDoc | null
  /** The id of the device where it is known for this account; else null. */
  device: string | null
}

/** Attempts in progress in this process: each may become a failure. */
interface InProgress {
  /** Who holds this entry: those in flight, and those that wait or are being decided. */
  users: number
  inFlight: number
  /** How often one has ended. */
  ended: number
  waiting: (() => void)[]
}

/**
 * Counts wrong passwords: by account and address together, by account over all addresses, and by address. Each is a leaky
 * bucket: whoever has filled one is slowed down, and allowed one more attempt as each failure leaks. A device that is
 * known for the account meets none of these, only a limit of its own; so nobody can lock an owner out.
 *
 * A lecture hall has one address, so two things differ from a plain counter: attempts that may still succeed wait for each
 * other instead of being rejected, and a successful sign-in refunds the address its failures. Those of the account stay
 * counted, since somebody else may have caused them.
 *
 * Failures are in the database. Attempts in progress are known to their process only, so several processes may together
 * check a few passwords more than a limit allows.
 */
export function createSignInLimit(limits: SignInLimits, clock: Clock, secretKey: string) {
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

  /** Waits until the attempt is allowed, and takes a place in each limit; or says when to ask again. */
  async function enter(wanted: FailureLimit[]): Promise<{ leave: () => void } | { retryMs: number }> {
    const places = wanted.map((limit) => ({ limit, place: acquire(limit.key) }))
    const refused = (retryMs: number) => {
      release(wanted)
      return { retryMs }
    }
    for (;;) {
      const ended = places.map(({ place }) => place.ended)
      const emptyAt = await failures.emptyAt(wanted)
      // One that ended while the failures were read may have added to them.
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
    /**
     * Checks a password. `check` returns whether it is right.
     * @throws {AppError} `rate_limit_exceeded`
     */
    async attempt({ address, login, user, device }: SignInAttempt, check: () => Promise<boolean>): Promise<boolean> {
      const [perAddress, perAccount] = await Promise.all([limits.address(), limits.account()])
      const network = ipNetworkOf(address)
      // By account, so that its username and its address count together.
      const account = user ? `#${user._id}` : normalizeLogin(login)
      const byAddress = { key: `address ${network}`, capacity: perAddress }
      const byPair = { key: `pair ${network} ${account}`, capacity: perAccount }
      const byAccount = { key: `account ${account}`, capacity: perAccount * ADDRESSES_PER_ACCOUNT }
      const byDevice = device === null ? null : { key: `device ${device}`, capacity: perAccount }

      // A known device that has used up its own limit is as good as any other.
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
