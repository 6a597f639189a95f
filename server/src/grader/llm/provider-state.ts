import { createHash } from 'node:crypto'
import type { LlmSettings } from '@assay/shared/llm-settings.ts'
import { type CircuitBreaker, createCircuitBreaker } from './circuit-breaker.ts'
import type { InFlightWork } from './single-flight.ts'

/** What this process has learnt about a provider under one key. Lost with the process, and soon learnt again. */
export interface ProviderState {
  circuitBreaker: CircuitBreaker
  /** What is being asked, by identity. */
  inFlight: InFlightWork<StoredResponse>
  /** Models that refused an answer's schema; they get it in words. */
  modelsWithoutSchema: Set<string>
}

/** An answer as the ledger has it. */
export interface StoredResponse {
  call_id: number
  raw: string
}

/** One line to each provider, address and key: keep one of these a process. */
export interface ProviderStates {
  stateOf(settings: Pick<LlmSettings, 'provider' | 'base_url'>, apiKey: string): ProviderState
}

export function createProviderStates(now: () => number = Date.now): ProviderStates {
  const lines = new Map<string, ProviderState>()
  return {
    stateOf({ provider, base_url }, apiKey) {
      const key = createHash('sha256').update(apiKey).digest('base64url')
      const name = JSON.stringify([provider, base_url, key])
      let line = lines.get(name)
      if (!line) {
        line = { circuitBreaker: createCircuitBreaker(now), inFlight: new Map(), modelsWithoutSchema: new Set() }
        lines.set(name, line)
      }
      return line
    },
  }
}
