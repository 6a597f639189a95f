import type { LlmProvider } from '@assay/shared/llm/llm-settings.ts'
import { z } from 'zod'
import { type FakeLlm, type FakeLlmOptions, startFakeLlm } from '../../../../../tests/fake-llm/fake-llm.ts'
import { gradingErrorMessages } from '../../llm-grading/grading-error-messages.ts'
import { LlmError } from '../errors/llm-error.ts'
import { createLlmClient, type LlmClientOptions } from '../llm-client.ts'
import type { LlmRequest } from '../llm-request.ts'
import { ProviderStates } from '../provider/provider-state.ts'
import { InMemoryLedger } from './in-memory-ledger.ts'

/** Model names that each SDK takes for new ones. */
export const providers = [
  { provider: 'openai', model: 'gpt-5-mini' },
  { provider: 'openai-compatible', model: 'llama3.2' },
  { provider: 'anthropic', model: 'claude-sonnet-4-5' },
  { provider: 'google', model: 'gemini-2.5-flash' },
] as const satisfies { provider: LlmProvider; model: string }[]

/** One for every change, all where the slow tests run. */
export const testedProviders = process.env.LLM_PROTOCOLS === 'all' ? providers : providers.slice(0, 1)

export const apiKey = 'sk-live-51Habc/def+ghi=jkl'

export const TestAnswer = z.object({
  criterion_id: z.string(),
  points: z.number().min(0).max(10),
  quotes: z.array(z.string()),
})
export type TestAnswer = z.infer<typeof TestAnswer>

export const goodAnswer: TestAnswer = { criterion_id: 'c1', points: 7, quotes: ['light'] }

export function requestAbout(paper: string): LlmRequest<TestAnswer> {
  return {
    purpose: 'grade',
    prompt_version: 'test-1',
    system: 'You grade.',
    parts: [{ text: `The paper says: ${paper}` }],
    schema_name: 'verdict',
    schema: TestAnswer,
    check: ({ criterion_id }) => (criterion_id === 'c1' ? null : `There is no criterion ${criterion_id}.`),
    most_tokens: 1_000,
  }
}

/** Nothing waits for real: `sleeps` has the waits in ms. */
export async function startLlmTestClient(
  { provider, model: name }: { provider: LlmProvider; model: string },
  options: FakeLlmOptions = {},
) {
  const model: FakeLlm = await startFakeLlm(options)
  model.answerers.push(
    ({ schema }) => (schema ? goodAnswer : undefined),
    () => goodAnswer,
  )
  const ledger = new InMemoryLedger()
  const sleeps: number[] = []
  const time = { now: Date.UTC(2026, 0, 1) }
  const providerStates = new ProviderStates(() => time.now)
  const ask = (more: Partial<LlmClientOptions> = {}) =>
    createLlmClient({
      settings: { provider, model: name, base_url: model.baseUrlOf(provider), price: { input: 1, output: 10 } },
      api_key: apiKey,
      context: { run_id: 1, submission_id: 1 },
      ledger,
      providerStates,
      messages: gradingErrorMessages,
      timeoutMs: 5_000,
      clock: {
        now: () => time.now,
        random: () => 0.5,
        async sleep(ms, signal) {
          signal.throwIfAborted()
          sleeps.push(ms)
          time.now += ms
        },
      },
      ...more,
    })
  /** A request that the test may stop: what comes of it is its response or its error. */
  const askToStop = (paper: string, more?: Partial<LlmClientOptions>) => {
    const stop = new AbortController()
    const asked = ask(more)(requestAbout(paper), stop.signal).catch((error: unknown) => error)
    return { asked, stop: (reason?: Error) => stop.abort(reason) }
  }
  return { model, ledger, sleeps, time, ask, askToStop }
}
export type LlmTestClient = Awaited<ReturnType<typeof startLlmTestClient>>

export async function llmErrorOf(asked: Promise<unknown>): Promise<LlmError> {
  const error = await asked.then(
    () => new Error('there was no error'),
    (error: unknown) => error,
  )
  if (!(error instanceof LlmError)) throw error
  return error
}
