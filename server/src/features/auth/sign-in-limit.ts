import type { Clock } from '../../lib/clock.ts'
import { tooManyRequests } from '../../lib/http/app-error.ts'
import { ipNetworkOf } from '../../lib/http/rate-limit.ts'
import type { UserDoc } from '../../records/people/user.model.ts'
import { normalizeLogin } from '../users/user.service.ts'

const WINDOW_MS = 15 * 60_000
const SWEEP_EVERY_MS = 60_000

interface AttemptCounter {
  failed: number
  /** Tries under way: each may become a failure. */
  inFlight: number
}

/** What was tried from one address. */
interface AddressState extends AttemptCounter {
  /** When its failures are forgotten, in ms. */
  resetsAt: number
  /** By login; `owed` are the failures that count against the address too. */
  accounts: Map<string, AttemptCounter & { owed: number }>
  waiters: (() => void)[]
}

interface SignInLimits {
  account: () => Promise<number>
  address: () => Promise<number>
}

/**
 * Counts wrong passwords: by account and address together, so that nobody can lock another out from elsewhere, and by
 * address. A lecture hall has one address, so two things are kinder than a plain counter. Tries that may yet turn out right
 * wait for each other instead of being refused. And who gets in after all gives the address its failures back; those for the
 * account stay counted, since a neighbour may have made them.
 */
export function createSignInLimit(limits: SignInLimits, clock: Clock) {
  const places = new Map<string, AddressState>()
  let swept = 0

  function stateOf(address: string): AddressState {
    const now = clock.now().getTime()
    if (now - swept > SWEEP_EVERY_MS) {
      for (const [name, { resetsAt }] of places) if (resetsAt <= now) places.delete(name)
      swept = now
    }
    const known = places.get(address)
    if (known && known.resetsAt > now) return known
    const until = Number.POSITIVE_INFINITY
    const place: AddressState = { failed: 0, inFlight: 0, resetsAt: until, accounts: new Map(), waiters: [] }
    places.set(address, place)
    return place
  }

  async function beginAttempt(address: string, login: string) {
    const [most, mostOfAccount] = await Promise.all([limits.address(), limits.account()])
    for (;;) {
      const place = stateOf(address)
      const account = place.accounts.get(login) ?? { failed: 0, inFlight: 0, owed: 0 }
      if (place.failed >= most || account.failed >= mostOfAccount) {
        throw tooManyRequests(Math.ceil((place.resetsAt - clock.now().getTime()) / 1000))
      }
      if (place.failed + place.inFlight < most && account.failed + account.inFlight < mostOfAccount) {
        place.accounts.set(login, account)
        place.inFlight++
        account.inFlight++
        return { place, account }
      }
      await new Promise<void>((resolve) => place.waiters.push(resolve))
    }
  }

  function refundFailures(place: AddressState, { username_key, email_key }: UserDoc): void {
    for (const login of [username_key, email_key]) {
      const account = place.accounts.get(login)
      if (!account) continue
      place.failed -= account.owed
      account.owed = 0
    }
  }

  return {
    /**
     * Lets someone try a password. `check` tells whose it is, or null where it is wrong.
     * @throws {AppError} `rate_limit_exceeded`
     */
    async attempt(from: string, login: string, check: () => Promise<UserDoc | null>): Promise<UserDoc | null> {
      const address = ipNetworkOf(from)
      const name = normalizeLogin(login)
      const { place, account } = await beginAttempt(address, name)
      try {
        const user = await check()
        if (user) refundFailures(place, user)
        else {
          if (place.resetsAt === Number.POSITIVE_INFINITY) place.resetsAt = clock.now().getTime() + WINDOW_MS
          for (const tally of [place, account]) tally.failed++
          account.owed++
        }
        return user
      } finally {
        place.inFlight--
        account.inFlight--
        if (account.failed + account.inFlight === 0) place.accounts.delete(name)
        if (place.accounts.size === 0 && places.get(address) === place) places.delete(address)
        for (const wake of place.waiters.splice(0)) wake()
      }
    },
  }
}
