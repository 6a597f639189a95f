import type { BodyInput } from '@assay/shared/http/endpoint.ts'
import { changeSystemLlm } from '@assay/shared/llm/llm.ts'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { FakeLlm, type FakeLlmOptions } from '../../../tests/fake-llm/fake-llm.ts'
import type { Caller } from './api.ts'
import { fakeLlmSettings, systemLlmSettings } from './llm-settings.ts'

/** Stopped when the test file ends. Each test begins without requests, scripts and latency. */
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
