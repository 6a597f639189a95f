import { ipNetworkOf } from '../../cluster/redis/rate-limit.ts'
import { createWindowCounter } from '../../cluster/redis/window-counter.ts'
import { AppError } from '../../lib/http/app-error.ts'
import type { Services } from '../../services.ts'

const HOUR_MS = 60 * 60_000
/** Told to one network address. */
const MAX_TAKEN_NAMES_PER_HOUR = 60

export interface TakenNameLimit {
  /** @throws {AppError} `rate_limit_exceeded` where too many were told already */
  count(address: string): Promise<void>
}

/**
 * Counts the usernames that turned out to be taken, after the fact: a lecture hall that registers at the same moment has one
 * address, and whoever chose a free name is no guesser.
 */
export function createTakenNameLimit({ clock, redis }: Pick<Services, 'clock' | 'redis'>): TakenNameLimit {
  const now = () => clock.now().getTime()
  const told = createWindowCounter({ name: 'taken username', windowMs: HOUR_MS, redis, now })
  return {
    async count(address) {
      const { hits, resetsAt } = await told.hit(ipNetworkOf(address))
      if (hits <= MAX_TAKEN_NAMES_PER_HOUR) return
      throw new AppError(
        'rate_limit_exceeded',
        'Many usernames that are taken were tried from your network. Choose one that nobody else would have.',
        { retryAfter: Math.ceil((resetsAt - now()) / 1000) },
      )
    },
  }
}
