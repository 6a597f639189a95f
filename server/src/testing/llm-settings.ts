import type { BodyInput } from '@assay/shared/http/endpoint.ts'
import { changeSystemLlm } from '@assay/shared/llm/llm.ts'
import { defaultLlmSettings, type LlmSettings } from '@assay/shared/llm/llm-settings.ts'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { z } from 'zod'
import { FakeLlm, type FakeLlmOptions } from '../../../tests/fake-llm/fake-llm.ts'
import type { LlmRequest } from '../grader/llm/llm-request.ts'
import type { Caller } from './server.ts'

export function buildLlmSettings(
  more: Partial<LlmSettings> & { api_key?: string | null } = {},
): LlmSettings & { api_key?: string | null } {
  return { ...defaultLlmSettings, ...more }
}

/** A thousand tokens cost a dollar. */
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

export function useFakeLlm(options: FakeLlmOptions = {}): FakeLlm {
  const fake = new FakeLlm(options)
  beforeAll(() => fake.listen(0))
  beforeEach(() => {
    fake.reset()
    fake.settings.latencyMs = 0
  })
  afterAll(() => fake.stop())
  return fake
}

type FakeLlmChoice = Partial<BodyInput<typeof changeSystemLlm>>

export async function chooseFakeLlm(admin: Caller, fake: FakeLlm, more: FakeLlmChoice = {}): Promise<void> {
  const { status, text } = await admin.send(changeSystemLlm, {
    body: { ...systemLlmSettings, ...fakeLlmSettings(fake, more) },
  })
  if (status !== 200) throw new Error(text)
}
