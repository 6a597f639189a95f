import { exponentialBackoff } from '../../../lib/exponential-backoff.ts'

/** HTTP requests per response. */
export const maxAttempts = 4

/** Longer waits are reported to the caller, so that a run can show them. */
export const maxRetryWaitMs = 30_000

const firstDelayMs = 1_000
const maxDelayMs = 20_000

export interface RetryClock {
  /** ms since 1970. */
  now(): number
  /** Ends early with the signal's reason. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
  random(): number
}

export const systemRetryClock: RetryClock = { now: () => Date.now(), sleep, random: Math.random }

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal.addEventListener('abort', stop, { once: true })
  })
}

/** In ms after attempt `tries` (from 1): as the provider asks, else doubling; jitter keeps callers apart. */
export function retryDelay(tries: number, retryAfterMs: number | null, random: number): number {
  if (retryAfterMs !== null) return retryAfterMs + random * Math.min(1_000, 200 + retryAfterMs / 10)
  return exponentialBackoff(tries, { initialMs: firstDelayMs, maxMs: maxDelayMs, jitter: 0.5, random: () => random })
}
