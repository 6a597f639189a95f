import type { ModelSettings } from '@assay/shared/model-settings.ts'
import type { LanguageModel } from 'ai'

/** Where a model is and how it is reached. */
export type Address = Pick<ModelSettings, 'provider' | 'base_url'>

/** Given in full, as the SDK would otherwise look for another one in the environment. */
const ownAddress = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
}

/** The SDK's packages are loaded with the first question: a server without a model never pays for them. */
export async function openModel(
  { provider, base_url }: Address,
  apiKey: string,
  model: string,
  fetch: typeof globalThis.fetch,
): Promise<LanguageModel> {
  switch (provider) {
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai')
      return createOpenAI({ baseURL: base_url ?? ownAddress.openai, apiKey, fetch })(model)
    }
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      return createAnthropic({ baseURL: base_url ?? ownAddress.anthropic, apiKey, fetch })(model)
    }
    case 'google': {
      const { createGoogle } = await import('@ai-sdk/google')
      return createGoogle({ baseURL: base_url ?? ownAddress.google, apiKey, fetch })(model)
    }
    case 'openai-compatible': {
      if (!base_url) throw new Error('An OpenAI-compatible provider has no address.')
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
      return createOpenAICompatible({
        name: 'openai-compatible',
        baseURL: base_url,
        // Servers on one's own machine want none.
        ...(apiKey && { apiKey }),
        fetch,
        supportsStructuredOutputs: true,
      })(model)
    }
    case 'offline':
      throw new Error('The offline grader is not asked over the network.')
  }
}

const names = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  google: 'Google',
  'openai-compatible': 'The model server',
  offline: 'The offline grader',
}

/** Who is asked, in words for a teacher; and where, if not at the provider's own address. */
export function nameOf({ provider, base_url }: Address): string {
  return base_url === null ? names[provider] : `${names[provider]} at ${new URL(base_url).host}`
}
