import { LlmProvider, type LlmSettings } from '@assay/shared/llm/llm-settings.ts'
import { addressSecretProblem } from '@assay/shared/rules/address-secrets.ts'
import { z } from 'zod'

const Dollars = z.coerce.number().min(0)

/** A provider needs model, address and key. */
export const LlmEnv = z.object({
  AI_PROVIDER: LlmProvider.optional(),
  AI_MODEL: z.string().trim().min(1).max(200).optional(),
  AI_BASE_URL: z
    .url({ protocol: /^https?$/ })
    .refine((address) => addressSecretProblem(address) === null, {
      // The address may hold a secret.
      error:
        'must be a plain URL without user name, password, query (“?”) or fragment (“#”); put the key in AI_API_KEY',
    })
    .optional(),
  AI_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'must be one word')
    .optional(),
  AI_MONTHLY_BUDGET: Dollars.max(1_000_000).optional(),
  AI_PRICE_INPUT: Dollars.max(10_000).optional(),
  AI_PRICE_OUTPUT: Dollars.max(10_000).optional(),
  AI_CONCURRENCY: z.coerce.number().int().min(1).max(256).optional(),
  AI_PICTURES: z.enum(['on', 'off']).optional(),
  AI_PRIVATE_ADDRESSES: z.enum(['on', 'off']).default('off'),
})

export interface EnvironmentLlm {
  provider: (Pick<LlmSettings, 'provider' | 'model' | 'base_url'> & { apiKey: string | null }) | null
  otherSettings: Partial<Pick<LlmSettings, 'price' | 'monthly_budget' | 'pictures' | 'at_once'>>
  allowPrivateAddresses: boolean
  allowPlainHttp: boolean
}

export function llmEnvironmentProblems(env: z.infer<typeof LlmEnv>): string[] {
  const problems: string[] = []
  const needs = (name: keyof typeof env, words: string) => {
    if (env[name] === undefined) problems.push(`${name}: ${words}`)
  }
  const { AI_PROVIDER: provider } = env
  if (provider === undefined && (env.AI_MODEL ?? env.AI_BASE_URL ?? env.AI_API_KEY) !== undefined)
    needs('AI_PROVIDER', 'is needed where AI_MODEL, AI_BASE_URL or AI_API_KEY is set')
  if (provider !== undefined && provider !== 'offline') needs('AI_MODEL', `is needed for ${provider}`)
  if (provider === 'openai-compatible') needs('AI_BASE_URL', 'is needed for openai-compatible')
  if (provider === 'openai' || provider === 'anthropic' || provider === 'google')
    needs('AI_API_KEY', `is needed for ${provider}`)
  if ((env.AI_PRICE_INPUT === undefined) !== (env.AI_PRICE_OUTPUT === undefined))
    problems.push('AI_PRICE_INPUT: goes with AI_PRICE_OUTPUT; set both or neither')
  return problems
}

export function llmFromEnvironment(env: z.infer<typeof LlmEnv>, production: boolean): EnvironmentLlm {
  const { AI_PROVIDER: provider, AI_PRICE_INPUT: input, AI_PRICE_OUTPUT: output } = env
  const rest: EnvironmentLlm['otherSettings'] = {}
  if (input !== undefined && output !== undefined) rest.price = { input, output }
  if (env.AI_MONTHLY_BUDGET !== undefined) rest.monthly_budget = env.AI_MONTHLY_BUDGET
  if (env.AI_PICTURES !== undefined) rest.pictures = env.AI_PICTURES === 'on'
  if (env.AI_CONCURRENCY !== undefined) rest.at_once = env.AI_CONCURRENCY
  const privateAddresses = env.AI_PRIVATE_ADDRESSES === 'on'
  return {
    provider:
      provider === undefined
        ? null
        : {
            provider,
            model: provider === 'offline' ? '' : (env.AI_MODEL ?? ''),
            base_url: env.AI_BASE_URL ?? null,
            apiKey: env.AI_API_KEY ?? null,
          },
    otherSettings: rest,
    allowPrivateAddresses: privateAddresses,
    allowPlainHttp: privateAddresses && !production,
  }
}
