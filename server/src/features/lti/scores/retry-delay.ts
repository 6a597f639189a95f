import { exponentialBackoff } from '../../../lib/exponential-backoff.ts'
import type { AgsRetryableError } from './ags-request.ts'

const BACKOFF = { initialMs: 1_000, maxMs: 60 * 60 * 1000 }
/** An LMS that asks for more is asked once a day. */
const MAX_RETRY_AFTER_MS = 24 * 60 * 60 * 1000

/** Back-off after consecutive failures, in ms: a second, doubling up to an hour, or what the LMS asks for. */
export function retryDelay({ retryAfterMs }: Pick<AgsRetryableError, 'retryAfterMs'>, failures: number): number {
  return Math.max(exponentialBackoff(failures, BACKOFF), Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS))
}
