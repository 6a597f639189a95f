import type { LlmSettings } from '@assay/shared/llm/llm-settings.ts'
import { hashOf } from '../../../lib/security/hash-of.ts'
import { CircuitBreaker, type CircuitChange } from './circuit-breaker.ts'
import type { InFlightWork } from './single-flight.ts'

/** What this process knows of a provider under one key. Lost with the process, and soon learned again. */
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

  readonly #onChange: (name: string, change: CircuitChange) => void

  /** @param onChange called with what this one learns of a provider's circuit; `name` tells nothing of the provider or the key */
  constructor(now: () => number = Date.now, onChange: (name: string, change: CircuitChange) => void = () => {}) {
    this.#now = now
    this.#onChange = onChange
  }

  stateOf({ provider, base_url }: Pick<LlmSettings, 'provider' | 'base_url'>, apiKey: string): ProviderState {
    const key = hashOf(apiKey, 'base64url')
    const name = hashOf(JSON.stringify([provider, base_url, key]), 'base64url')
    let state = this.#states.get(name)
    if (!state) {
      const circuitBreaker = new CircuitBreaker(this.#now, (change) => this.#onChange(name, change))
      state = { circuitBreaker, inFlight: new Map(), modelsWithoutSchema: new Set() }
      this.#states.set(name, state)
    }
    return state
  }

  /** What another process has learned. Of a provider that was not asked here, nothing is kept. */
  learn(name: string, change: CircuitChange): void {
    this.#states.get(name)?.circuitBreaker.learn(change)
  }
}
