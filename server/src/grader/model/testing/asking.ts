import type { Provider } from '@assay/shared/model-settings.ts'
import { z } from 'zod'
import {
  type FakeModel,
  type FakeModelOptions,
  startFakeModel,
} from '../../../../../tests/fake-model/fake-model.ts'
import type { ModelQuestion } from '../ask.ts'
import { type AskOptions, createAsk } from '../create-ask.ts'
import { createLines } from '../lines.ts'
import { ModelTrouble } from '../model-trouble.ts'
import { LedgerInMemory } from './ledger-in-memory.ts'

/** The providers, and a model's name that each SDK takes for a new one. */
export const providers = [
  { provider: 'openai', model: 'gpt-5-mini' },
  { provider: 'openai-compatible', model: 'llama3.2' },
  { provider: 'anthropic', model: 'claude-sonnet-4-5' },
  { provider: 'google', model: 'gemini-2.5-flash' },
] as const satisfies { provider: Provider; model: string }[]

export const apiKey = 'sk-live-51Habc/def+ghi=jkl'

export const Verdict = z.object({
  criterion_id: z.string(),
  points: z.number().min(0).max(10),
  quotes: z.array(z.string()),
})
export type Verdict = z.infer<typeof Verdict>

export const goodVerdict: Verdict = { criterion_id: 'c1', points: 7, quotes: ['light'] }

/** A question that only `goodVerdict`'s like can answer. */
export function questionAbout(paper: string): ModelQuestion<Verdict> {
  return {
    purpose: 'grade',
    prompt_version: 'test-1',
    system: 'You grade.',
    parts: [{ text: `The paper says: ${paper}` }],
    schema_name: 'verdict',
    schema: Verdict,
    check: ({ criterion_id }) => (criterion_id === 'c1' ? null : `There is no criterion ${criterion_id}.`),
    most_tokens: 1_000,
  }
}

/** A fake model and everything to ask it with. Nothing waits for real: `sleeps` says how long it would have, in ms. */
export async function startAsking(
  { provider, model: name }: { provider: Provider; model: string },
  options: FakeModelOptions = {},
) {
  const model: FakeModel = await startFakeModel(options)
  model.answerers.push(
    ({ schema }) => (schema ? goodVerdict : undefined),
    () => goodVerdict,
  )
  const ledger = new LedgerInMemory()
  const sleeps: number[] = []
  const time = { now: Date.UTC(2026, 0, 1) }
  const lines = createLines(() => time.now)
  const ask = (more: Partial<AskOptions> = {}) =>
    createAsk({
      settings: { provider, model: name, base_url: model.address(provider), price: { input: 1, output: 10 } },
      api_key: apiKey,
      about: { run_id: 1, submission_id: 1 },
      ledger,
      lines,
      answerWithin: 5_000,
      pace: {
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
  return { model, ledger, sleeps, time, lines, ask }
}
export type Asking = Awaited<ReturnType<typeof startAsking>>

/** The trouble that asking ends in. */
export async function troubleOf(asked: Promise<unknown>): Promise<ModelTrouble> {
  const error = await asked.then(
    () => new Error('there was no trouble'),
    (error: unknown) => error,
  )
  if (!(error instanceof ModelTrouble)) throw error
  return error
}
