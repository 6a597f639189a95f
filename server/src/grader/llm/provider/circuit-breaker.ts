import { LlmError } from '../errors/llm-error.ts'

const FAILURES_TO_OPEN = 4 // consecutive, each after all its attempts
const FIRST_OPEN_MS = 15_000
const MAX_OPEN_MS = 300_000
const PROBE_RETRY_MS = 5_000 // for others while a probe is under way

/** For other processes that ask the same provider. */
export type CircuitChange = { kind: 'opened'; ms: number; openMs: number } | { kind: 'closed' | 'probe allowed' }

/** For one request. The first of `succeeded`, `failed` and `cancelled` ends it. */
export interface Permit {
  /** @throws {LlmError} `waiting` when the circuit has opened since */
  throwIfOpen(): void
  /** Includes the request's own errors. */
  succeeded(): void
  /** `holdMs`: the wait that the provider asked for. */
  failed(holdMs?: number): void
  /** Before the outcome was known. */
  cancelled(): void
}

/**
 * Not cockatiel's, which has no injectable clock, makes callers wait for the probe, counts cancelled probes as success,
 * and knows neither Retry-After nor permits taken before the call is booked.
 */
export class CircuitBreaker {
  readonly #now: () => number
  #failures = 0
  #openUntil = 0 // ms since 1970; 0 while closed
  #openMs = 0
  #probing = false
  readonly #onChange: (change: CircuitChange) => void

  /** @param onChange called with its own changes only */
  constructor(now: () => number, onChange: (change: CircuitChange) => void = () => {}) {
    this.#now = now
    this.#onChange = onChange
  }

  /** `force`, as for a test, lets a request through. @throws {LlmError} `waiting`, with a retry time */
  acquire(provider: string, force = false): Permit {
    const isProbe = this.#openUntil > 0
    const refuse = (ms: number): never => {
      const message = `${provider} failed several times in a row, or asked Assay to wait. Assay tries again later.`
      throw new LlmError('waiting', message, { retryAfterMs: ms })
    }
    const throwIfOpen = () => {
      if (this.#now() < this.#openUntil) refuse(this.#openUntil - this.#now())
    }
    if (isProbe) {
      if (!force) {
        throwIfOpen()
        if (this.#probing) refuse(PROBE_RETRY_MS)
      }
      this.#probing = true
    }
    let ended = false
    const end = (): boolean => {
      if (ended) return false
      ended = true
      if (isProbe) this.#probing = false
      return true
    }
    return {
      throwIfOpen: () => {
        if (!isProbe) throwIfOpen()
      },
      succeeded: () => {
        if (!end()) return
        this.#failures = 0
        // A late answer does not close it: the provider may have asked us to wait since.
        if (!isProbe) return
        this.#close()
        this.#onChange({ kind: 'closed' })
      },
      failed: (holdMs) => {
        if (!end()) return
        this.#failures++
        if (holdMs !== undefined) this.#openFor(Math.min(holdMs, MAX_OPEN_MS))
        else if (isProbe || (this.#openUntil === 0 && this.#failures >= FAILURES_TO_OPEN)) {
          this.#openMs = this.#openMs === 0 ? FIRST_OPEN_MS : Math.min(MAX_OPEN_MS, this.#openMs * 2)
          this.#openFor(this.#openMs)
        }
      },
      cancelled: () => void end(),
    }
  }

  allowProbe(): void {
    this.learn({ kind: 'probe allowed' })
    this.#onChange({ kind: 'probe allowed' })
  }

  learn(change: CircuitChange): void {
    if (change.kind === 'opened') {
      this.#openMs = Math.max(this.#openMs, change.openMs)
      this.#openUntil = Math.max(this.#openUntil, this.#now() + change.ms)
    } else if (change.kind === 'closed') {
      this.#failures = 0
      this.#close()
    } else this.#openUntil = Math.min(this.#openUntil, this.#now())
  }

  #close(): void {
    this.#openUntil = 0
    this.#openMs = 0
  }

  #openFor(ms: number): void {
    this.#openUntil = Math.max(this.#openUntil, this.#now() + ms)
    this.#onChange({ kind: 'opened', ms, openMs: this.#openMs })
  }
}
