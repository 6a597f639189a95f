import { ipNetworkOf } from '../../cluster/redis/rate-limit.ts'
import { createWindowCounter } from '../../cluster/redis/window-counter.ts'
import { AppError } from '../../lib/http/app-error.ts'
import type { Services } from '../../services.ts'

const HOUR_MS = 60 * 60_000
const MAX_TAKEN_NAMES_PER_HOUR = 60

export interface TakenNameLimit {
  /** @throws {AppError} `rate_limit_exceeded` */
  count(address: string): Promise<void>
}

/** Counts only usernames found taken: a lecture hall registers from one address, and a free name is no guess. */
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
