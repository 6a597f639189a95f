import { defaultLlmSettings, type LlmSettings } from '@assay/shared/llm/llm-settings.ts'
import { z } from 'zod'
import type { FakeLlm } from '../../../tests/fake-llm/fake-llm.ts'
import type { LlmRequest } from '../grader/llm/llm-request.ts'

export function buildLlmSettings(
  more: Partial<LlmSettings> & { api_key?: string | null } = {},
): LlmSettings & { api_key?: string | null } {
  return { ...defaultLlmSettings, ...more }
}

/** OpenAI-compatible by default. A thousand tokens cost a dollar. */
export function fakeLlmSettings(fake: FakeLlm, more: Partial<LlmSettings> & { api_key?: string | null } = {}) {
  const provider = more.provider ?? 'openai-compatible'
  return buildLlmSettings({
    provider,
    model: 'fake-1',
    base_url: fake.baseUrlOf(provider),
    price: { input: 1000, output: 1000 },
    ...more,
  })
}

export const systemLlmSettings = { course_budget: null, teachers_keys: true }

export const smallLlmRequest: LlmRequest<{ text: string }> = {
  purpose: 'grade',
  prompt_version: 'small-1',
  system: 'Answer.',
  parts: [{ text: 'Say yes.' }],
  schema_name: 'small',
  schema: z.object({ text: z.string() }),
  most_tokens: 100,
}
