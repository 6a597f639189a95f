import type { Clock } from '../../lib/clock.ts'
import { AppError } from '../../lib/http/app-error.ts'
import { ipNetworkOf } from '../../lib/http/rate-limit.ts'

const HOUR_MS = 60 * 60_000
/** Told to one network address. */
const MAX_TAKEN_NAMES_PER_HOUR = 60

export interface TakenNameLimit {
  /** @throws {AppError} `rate_limit_exceeded` where too many were told already */
  count(address: string): void
}

/**
 * Counts the usernames that turned out to be taken, after the fact: a lecture hall that registers at the same moment has one
 * address, and whoever chose a free name is no guesser.
 */
export function createTakenNameLimit(clock: Clock): TakenNameLimit {
  /** By network address, all of the same hour. */
  const told = new Map<string, number>()
  let hourEnds = 0
  return {
    count(address) {
      const now = clock.now().getTime()
      if (now >= hourEnds) {
        told.clear()
        hourEnds = now + HOUR_MS
      }
      const network = ipNetworkOf(address)
      const count = (told.get(network) ?? 0) + 1
      told.set(network, count)
      if (count <= MAX_TAKEN_NAMES_PER_HOUR) return
      throw new AppError(
        'rate_limit_exceeded',
        'Many usernames that are taken were tried from your network. Choose one that nobody else would have.',
        { retryAfter: Math.ceil((hourEnds - now) / 1000) },
      )
    },
  }
}
