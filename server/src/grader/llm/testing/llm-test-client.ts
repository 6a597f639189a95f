import type { LlmProvider } from '@assay/shared/llm/llm-settings.ts'
import { z } from 'zod'
import { type FakeLlm, type FakeLlmOptions, startFakeLlm } from '../../../../../tests/fake-llm/fake-llm.ts'
import { gradingErrorMessages } from '../../llm-grading/grading-error-messages.ts'
import { LlmError } from '../errors/llm-error.ts'
import type { LlmCallLedger, LlmCallResult, LlmCallStart } from '../llm-call-ledger.ts'
import { createLlmClient, type LlmClientOptions } from '../llm-client.ts'
import type { LlmRequest } from '../llm-request.ts'
import { ProviderStates } from '../provider/provider-state.ts'

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

interface Row {
  call_id: number
  started: LlmCallStart
  /** Null while it is under way, or for good when the process died. */
  result: LlmCallResult | null
}

/** `budget` in US dollars. */
class InMemoryLedger implements LlmCallLedger {
  readonly rows: Row[] = []
  budget = Number.POSITIVE_INFINITY

  async find(identity: string) {
    const row = this.rows.findLast(({ started, result }) => started.identity === identity && result?.paid)
    return row?.result ? { call_id: row.call_id, outcome: row.result.outcome, raw: row.result.raw } : null
  }

  async begin(call: LlmCallStart) {
    const spent = this.rows.reduce(
      (sum, { started, result }) => sum + ((result ? result.dollars : started.most_dollars) ?? 0),
      0,
    )
    if (spent + (call.most_dollars ?? 0) > this.budget) throw new LlmError('budget', 'The budget is spent.')
    const call_id = this.rows.length + 1
    this.rows.push({ call_id, started: call, result: null })
    return call_id
  }

  async finish(callId: number, end: LlmCallResult) {
    const row = this.rows.find(({ call_id }) => call_id === callId)
    if (row) row.result = { ...end }
  }

  /** `begun`: never ended. */
  get outcomes(): string[] {
    return this.rows.map(({ result }) => (result ? (result.error_code ?? result.outcome) : 'begun'))
  }
}
