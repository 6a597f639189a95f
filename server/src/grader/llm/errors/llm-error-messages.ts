import type { ProviderAddress } from '../provider/providers.ts'
import type { ProviderFailure } from './classify-provider-error.ts'

export interface ErrorContext extends Pick<ProviderAddress, 'base_url'> {
  providerName: string
  model: string
  hasKey: boolean
}

/** What happened and what to do. */
export interface LlmErrorMessages {
  /** `quote`: the provider's own words, without keys. */
  failure(failure: ProviderFailure, context: ErrorContext, quote: string | null): string
  timeout(context: ErrorContext, timeoutMs: number): string
  refused(model: string): string
  cut_off(model: string): string
  /** `raw`: the second invalid response. */
  invalidResponse(model: string, complaint: string, raw: string): string
}
