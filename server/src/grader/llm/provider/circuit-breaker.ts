import { LlmError } from '../errors/llm-error.ts'

/** Requests that fail in a row, each after all its attempts, before the circuit opens. */
const FAILURES_TO_OPEN = 4
const FIRST_OPEN_MS = 15_000
const MAX_OPEN_MS = 300_000
/** How long others have to wait while a probe is under way. */
const PROBE_RETRY_MS = 5_000

/** What others who ask the same provider should know, too. */
export type CircuitChange = { kind: 'opened'; ms: number; openMs: number } | { kind: 'closed' | 'probe allowed' }

/** The right to send one request. The first of `succeeded`, `failed` and `cancelled` ends it. */
export interface Permit {
  /** @throws {LlmError} `waiting` when the circuit has opened since the permit was given */
  throwIfOpen(): void
  /** The provider answered, even with an error of the request's own. */
  succeeded(): void
  /** `holdMs`: how long the provider itself asked us to wait. */
  failed(holdMs?: number): void
  /** Stopped before the outcome was known. */
  cancelled(): void
}

/**
 * Stops requests to a provider that does not answer. After several failures in a row the circuit is open; then one probe is let through
 * (half-open): its success closes the circuit, its failure doubles the time, up to five minutes.
 * Not cockatiel's: that one has no clock to inject, makes callers wait for the probe instead of telling them when to retry, counts a
 * cancelled probe as a success, and knows neither a provider's own Retry-After nor a permit taken before the call is booked.
 */
export class CircuitBreaker {
  readonly #now: () => number
  #failures = 0
  /** ms since 1970; 0 while closed. */
  #openUntil = 0
  #openMs = 0
  #probing = false

  readonly #onChange: (change: CircuitChange) => void

  /** @param onChange called with each change that this one makes by itself */
  constructor(now: () => number, onChange: (change: CircuitChange) => void = () => {}) {
    this.#now = now
    this.#onChange = onChange
  }

  /**
   * `force`: lets the request through in any case, as when somebody tests the settings; its outcome counts.
   * @throws {LlmError} `waiting`, with the time after which to try again
   */
  acquire(provider: string, force = false): Permit {
    const isProbe = this.#openUntil > 0
    const refuse = (ms: number): never => {
      throw new LlmError(
        'waiting',
        `${provider} failed several times in a row, or asked Assay to wait. Assay tries again later.`,
        { retryAfterMs: ms },
      )
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
    /** False when it has ended already. */
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
        // A late answer to an earlier request does not close it: the provider may have asked us to wait since.
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
      cancelled: () => {
        end()
      },
    }
  }

  /** Lets the next request through as a probe at once. */
  allowProbe(): void {
    this.#allowProbe()
    this.#onChange({ kind: 'probe allowed' })
  }

  /** What another has learned, who asks the same provider. */
  learn(change: CircuitChange): void {
    if (change.kind === 'opened') {
      this.#openMs = Math.max(this.#openMs, change.openMs)
      this.#openUntil = Math.max(this.#openUntil, this.#now() + change.ms)
    } else if (change.kind === 'closed') {
      this.#failures = 0
      this.#close()
    } else this.#allowProbe()
  }

  #allowProbe(): void {
    this.#openUntil = Math.min(this.#openUntil, this.#now())
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
