import { z } from 'zod'

export const MAX_AT_ONCE = 256

/** `openai-compatible`: Ollama, vLLM, llama.cpp, a gateway of one's own. */
export const llmProviders = ['offline', 'openai', 'anthropic', 'google', 'openai-compatible'] as const
export const LlmProvider = z.enum(llmProviders)
export type LlmProvider = z.infer<typeof LlmProvider>

const Dollars = (most: number) => z.number().min(0, 'At least 0').max(most, `At most ${most}`)

/** US dollars a million tokens; 0 on one's own machine. */
export const LlmPrice = z.object({ input: Dollars(10_000), output: Dollars(10_000) })
export type LlmPrice = z.infer<typeof LlmPrice>

/** Grades doubtful papers twice, by the same or another model of the provider. */
export const SecondOpinion = z.enum(['never', 'same', 'other'])

export const LlmSettings = z.object({
  provider: LlmProvider,
  model: z.string().trim().max(200),
  /** Required for `openai-compatible`. */
  base_url: z.url({ protocol: /^https?$/, error: 'Enter an address that begins with https:// or http://' }).nullable(),
  price: LlmPrice.nullable(),
  /** US dollars a calendar month (UTC); null: none. */
  monthly_budget: Dollars(1_000_000).nullable(),
  pictures: z.boolean(),
  second_opinion: SecondOpinion,
  second_model: z.string().trim().max(200).nullable(),
  second_price: LlmPrice.nullable(),
  at_once: z.number().int().min(1, 'At least 1').max(MAX_AT_ONCE, `At most ${MAX_AT_ONCE}`),
})
export type LlmSettings = z.infer<typeof LlmSettings>

export const defaultLlmSettings: LlmSettings = {
  provider: 'offline',
  model: '',
  base_url: null,
  price: null,
  monthly_budget: null,
  pictures: true,
  second_opinion: 'never',
  second_model: null,
  second_price: null,
  at_once: 8,
}

export function secondModelOf({
  provider,
  model,
  second_opinion,
  second_model,
}: Pick<LlmSettings, 'provider' | 'model' | 'second_opinion' | 'second_model'>): string | null {
  if (provider === 'offline' || second_opinion !== 'other' || !second_model) return null
  return second_model === model ? null : second_model
}

/** Without a price for each LLM no budget can be enforced. */
export const isPriced = (settings: LlmSettings): boolean =>
  settings.price !== null && (secondModelOf(settings) === null || settings.second_price !== null)
