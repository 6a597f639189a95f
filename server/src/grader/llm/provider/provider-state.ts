import type { LlmSettings } from '@assay/shared/llm/llm-settings.ts'
import { hashOf } from '../../../lib/security/hash-of.ts'
import { CircuitBreaker } from './circuit-breaker.ts'
import type { InFlightWork } from './single-flight.ts'

/** What this process knows of a provider under one key. Lost with the process, and soon learnt again. */
export interface ProviderState {
  circuitBreaker: CircuitBreaker
  /** Requests under way, by identity. */
  inFlight: InFlightWork<StoredResponse>
  /** Models that refused a response schema; they get it described in the prompt. */
  modelsWithoutSchema: Set<string>
}

/** A response as the ledger has it. */
export interface StoredResponse {
  call_id: number
  raw: string
}

/** The state of each provider, address and key. One a process. */
export class ProviderStates {
  readonly #now: () => number
  readonly #states = new Map<string, ProviderState>()

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  stateOf({ provider, base_url }: Pick<LlmSettings, 'provider' | 'base_url'>, apiKey: string): ProviderState {
    const key = hashOf(apiKey, 'base64url')
    const name = JSON.stringify([provider, base_url, key])
    let state = this.#states.get(name)
    if (!state) {
      state = { circuitBreaker: new CircuitBreaker(this.#now), inFlight: new Map(), modelsWithoutSchema: new Set() }
      this.#states.set(name, state)
    }
    return state
  }
}
