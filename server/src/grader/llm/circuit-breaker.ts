import { LlmError } from './llm-error.ts'

/** So many questions in a row without an answer, each after its tries, and nobody asks for a while. */
const failuresToOpen = 4
const firstPause = 15_000
const longestPause = 300_000
/** Others look again after this while one is finding out whether the provider is back, in ms. */
const probeRetryMs = 5_000

/** A question's leave to ask. The first of `worked`, `failed` and `left` ends it. */
export interface Permit {
  /** @throws {LlmError} `waiting` when others have found meanwhile that there is no use in trying on */
  throwIfOpen(): void
  /** The provider answered, were it with a no. */
  succeeded(): void
  /** No answer. `holdMs`: the provider itself says that nobody need ask before. */
  failed(holdMs?: number): void
  /** Stopped: nothing was learnt. */
  cancelled(): void
}

export interface CircuitBreaker {
  /**
   * `insists`: asks in any case, as when somebody tries the settings out; what comes of it holds for all.
   * @throws {LlmError} `waiting`, with the time when it is worth asking again
   */
  acquire(who: string, insists?: boolean): Permit
  /** Somebody says that it is worth asking at once: the next one finds out. */
  allowProbe(): void
}

/**
 * Keeps everyone from asking a provider that does not answer: after several failures in a row nobody asks for a while, then one
 * does. Its answer opens the door for all; without one the while grows, up to five minutes.
 */
export function createCircuitBreaker(now: () => number): CircuitBreaker {
  let failures = 0
  /** ms since 1970; 0 while everybody may ask. */
  let closedUntil = 0
  let pause = 0
  let trying = false

  const refuse = (who: string, ms: number): never => {
    throw new LlmError('waiting', `${who} has not answered several times in a row, or asked us to wait.`, {
      retryAfterMs: ms,
    })
  }
  const openFor = (ms: number) => {
    closedUntil = Math.max(closedUntil, now() + ms)
  }
  const lengthenPause = () => {
    pause = pause === 0 ? firstPause : Math.min(longestPause, pause * 2)
    openFor(pause)
  }

  return {
    allowProbe() {
      closedUntil = Math.min(closedUntil, now())
    },
    acquire(who, insists = false) {
      const probe = closedUntil > 0
      if (probe) {
        if (!insists && now() < closedUntil) refuse(who, closedUntil - now())
        if (!insists && trying) refuse(who, probeRetryMs)
        trying = true
      }
      let ended = false
      /** Whether it was this that ended it. */
      const end = (): boolean => {
        if (ended) return false
        ended = true
        if (probe) trying = false
        return true
      }
      return {
        throwIfOpen() {
          if (!probe && now() < closedUntil) refuse(who, closedUntil - now())
        },
        succeeded() {
          if (!end()) return
          failures = 0
          // Late answers to what was asked before do not open: the provider may have asked for quiet since.
          if (!probe) return
          closedUntil = 0
          pause = 0
        },
        failed(holdMs) {
          if (!end()) return
          failures++
          if (holdMs !== undefined) openFor(Math.min(holdMs, longestPause))
          else if (probe || (closedUntil === 0 && failures >= failuresToOpen)) lengthenPause()
        },
        cancelled() {
          end()
        },
      }
    },
  }
}
