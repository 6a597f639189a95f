import type { LlmSettings } from '@assay/shared/llm/llm-settings.ts'
import type { LanguageModel } from 'ai'

export type ProviderAddress = Pick<LlmSettings, 'provider' | 'base_url'>

/** Explicit, as the SDK would look in the environment. */
const defaultBaseUrls = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
}

/** The SDK is loaded with the first request. */
export async function openLanguageModel(
  { provider, base_url }: ProviderAddress,
  apiKey: string,
  model: string,
  fetch: typeof globalThis.fetch,
): Promise<LanguageModel> {
  switch (provider) {
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai')
      return createOpenAI({ baseURL: base_url ?? defaultBaseUrls.openai, apiKey, fetch })(model)
    }
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      return createAnthropic({ baseURL: base_url ?? defaultBaseUrls.anthropic, apiKey, fetch })(model)
    }
    case 'google': {
      const { createGoogle } = await import('@ai-sdk/google')
      return createGoogle({ baseURL: base_url ?? defaultBaseUrls.google, apiKey, fetch })(model)
    }
    case 'openai-compatible': {
      if (!base_url) throw new Error('An OpenAI-compatible provider has no address.')
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
      return createOpenAICompatible({
        name: 'openai-compatible',
        baseURL: base_url,
        // Local servers want none.
        ...(apiKey && { apiKey }),
        fetch,
        supportsStructuredOutputs: true,
      })(model)
    }
    case 'offline':
      throw new Error('The built-in grader is not asked over the network.')
  }
}

const providerNames = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  google: 'Google',
  'openai-compatible': 'The model server',
  offline: 'The built-in grader',
}

export function providerDisplayName({ provider, base_url }: ProviderAddress): string {
  return base_url === null ? providerNames[provider] : `${providerNames[provider]} at ${new URL(base_url).host}`
}
