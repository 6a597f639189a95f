import { exponentialBackoff } from '../../../lib/exponential-backoff.ts'

/** HTTP requests for one response, the first included. */
export const maxAttempts = 4

/** Waits up to this are slept through, in ms; longer ones are reported to the caller, so that a run can show that it waits. */
export const maxRetryWaitMs = 30_000

const firstDelayMs = 1_000
const maxDelayMs = 20_000

/** Time and randomness, injectable for tests. */
export interface RetryClock {
  /** ms since 1970. */
  now(): number
  /** Ends early with the signal's reason. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
  /** 0..1. */
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

/**
 * How long to wait after attempt `tries` (from 1) failed, in ms: as long as the provider asks for, else twice as long each
 * time. Some chance on top, so that twenty who were turned away together do not come back together.
 */
export function retryDelay(tries: number, retryAfterMs: number | null, random: number): number {
  if (retryAfterMs !== null) return retryAfterMs + random * Math.min(1_000, 200 + retryAfterMs / 10)
  return exponentialBackoff(tries, { initialMs: firstDelayMs, maxMs: maxDelayMs, jitter: 0.5, random: () => random })
}
