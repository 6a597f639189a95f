import type { LlmSettings } from '@assay/shared/llm/llm-settings.ts'
import { hashOf } from '../../../lib/security/hash-of.ts'
import { CircuitBreaker, type CircuitChange } from './circuit-breaker.ts'
import type { InFlightWork } from './single-flight.ts'

/** Known by this process of a provider and key; soon learned again. */
export interface ProviderState {
  circuitBreaker: CircuitBreaker
  inFlight: InFlightWork<StoredResponse> // by identity
  /** They get the schema described in the prompt. */
  modelsWithoutSchema: Set<string>
}

export interface StoredResponse {
  call_id: number
  raw: string
}

/** By provider, address and key. One per process. */
export class ProviderStates {
  readonly #now: () => number
  readonly #states = new Map<string, ProviderState>()
  readonly #onChange: (name: string, change: CircuitChange) => void

  /** @param onChange `name` reveals neither provider nor key */
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

  /** From another process; ignored for providers not used here. */
  learn(name: string, change: CircuitChange): void {
    this.#states.get(name)?.circuitBreaker.learn(change)
  }
}
