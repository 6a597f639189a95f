import type { Clock } from '../../lib/clock.ts'
import { tooManyRequests } from '../../lib/http/app-error.ts'
import { ipNetworkOf } from '../../lib/http/rate-limit.ts'
import type { UserDoc } from '../../records/people/user.model.ts'
import { normalizeLogin } from '../users/user.service.ts'

const WINDOW_MS = 15 * 60_000
const SWEEP_EVERY_MS = 60_000

interface AttemptCounter {
  failed: number
  /** Attempts in progress: each may become a failure. */
  inFlight: number
}

/** The attempts from one address. */
interface AddressState extends AttemptCounter {
  /** When its failures are forgotten, in ms since the epoch. */
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
 * address. A lecture hall has one address, so two things differ from a plain counter: attempts that may still succeed wait
 * for each other instead of being rejected, and a successful sign-in refunds the address its failures. Those of the account
 * stay counted, since somebody else may have caused them.
 */
export function createSignInLimit(limits: SignInLimits, clock: Clock) {
  const addresses = new Map<string, AddressState>()
  let swept = 0

  function stateOf(address: string): AddressState {
    const now = clock.now().getTime()
    if (now - swept > SWEEP_EVERY_MS) {
      for (const [name, { resetsAt }] of addresses) if (resetsAt <= now) addresses.delete(name)
      swept = now
    }
    const known = addresses.get(address)
    if (known && known.resetsAt > now) return known
    const until = Number.POSITIVE_INFINITY
    const state: AddressState = { failed: 0, inFlight: 0, resetsAt: until, accounts: new Map(), waiters: [] }
    addresses.set(address, state)
    return state
  }

  async function beginAttempt(address: string, login: string) {
    const [most, mostOfAccount] = await Promise.all([limits.address(), limits.account()])
    for (;;) {
      const state = stateOf(address)
      const account = state.accounts.get(login) ?? { failed: 0, inFlight: 0, owed: 0 }
      if (state.failed >= most || account.failed >= mostOfAccount) {
        throw tooManyRequests(Math.ceil((state.resetsAt - clock.now().getTime()) / 1000))
      }
      if (state.failed + state.inFlight < most && account.failed + account.inFlight < mostOfAccount) {
        state.accounts.set(login, account)
        state.inFlight++
        account.inFlight++
        return { state, account }
      }
      await new Promise<void>((resolve) => state.waiters.push(resolve))
    }
  }

  function refundFailures(state: AddressState, { username_key, email_key }: UserDoc): void {
    for (const login of [username_key, email_key]) {
      const account = state.accounts.get(login)
      if (!account) continue
      state.failed -= account.owed
      account.owed = 0
    }
  }

  return {
    /**
     * Checks a password. `check` returns whose it is, or null for a wrong one.
     * @throws {AppError} `rate_limit_exceeded`
     */
    async attempt(from: string, login: string, check: () => Promise<UserDoc | null>): Promise<UserDoc | null> {
      const address = ipNetworkOf(from)
      const name = normalizeLogin(login)
      const { state, account } = await beginAttempt(address, name)
      try {
        const user = await check()
        if (user) refundFailures(state, user)
        else {
          if (state.resetsAt === Number.POSITIVE_INFINITY) state.resetsAt = clock.now().getTime() + WINDOW_MS
          for (const tally of [state, account]) tally.failed++
          account.owed++
        }
        return user
      } finally {
        state.inFlight--
        account.inFlight--
        if (account.failed + account.inFlight === 0) state.accounts.delete(name)
        if (state.accounts.size === 0 && addresses.get(address) === state) addresses.delete(address)
        for (const wake of state.waiters.splice(0)) wake()
      }
    },
  }
}
