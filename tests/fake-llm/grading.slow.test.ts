import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createLlmClient } from '../../server/src/grader/llm/llm-client.ts'
import { ProviderStates } from '../../server/src/grader/llm/provider/provider-state.ts'
import { InMemoryLedger } from '../../server/src/grader/llm/testing/in-memory-ledger.ts'
import { gradingErrorMessages } from '../../server/src/grader/llm-grading/grading-error-messages.ts'
import { createLlmGrader } from '../../server/src/grader/llm-grading/llm-grader.ts'
import { createOfflineGrader } from '../../server/src/grader/offline/offline-grader.ts'
import { buildPaper } from '../../server/src/grader/testing/build-paper.ts'
import { type FakeLlm, startFakeLlm } from './fake-llm.ts'

const question = '1. Why are there tides? (4 points)'
const right = 'The moon pulls on the water of the oceans while the earth turns beneath it.'

describe('the fake LLM', () => {
  const offline = createOfflineGrader()
  let model: FakeLlm
  beforeAll(async () => {
    model = await startFakeLlm()
  })
  beforeEach(() => {
    model.reset()
    model.settings.mode = 'honest'
  })
  afterAll(async () => {
    await offline.close()
    await model.stop()
  })

  /** The result for one answer, using the prompt of Assay's own grader. */
  async function grade(answer: string) {
    const blank = buildPaper([question, '', ''])
    const rubric = await offline.generateRubric(blank, buildPaper([question, right]))
    const extracted = await offline.extractAnswers(rubric, blank, buildPaper([question, answer, '']))
    const ask = createLlmClient({
      settings: { provider: 'openai', model: 'gpt-5-mini', base_url: model.baseUrlOf('openai'), price: null },
      api_key: 'sk-none',
      context: {},
      ledger: new InMemoryLedger(),
      messages: gradingErrorMessages,
      providerStates: new ProviderStates(),
    })
    const chosen = {
      name: 'openai/gpt-5-mini',
      pictures: false,
      second_opinion: 'never',
      second_model: null,
    } as const
    const grader = createLlmGrader({ llm: ask, offline, settings: chosen })
    return grader.grade(rubric, 1, { key: answer, submissions: [{ id: 1, extracted }] })
  }

  it('gives more points for more of the expected answer, with the student’s words as evidence', async () => {
    const [all, half, none] = [
      await grade(right),
      await grade('I think it is the moon and the water.'),
      await grade('Because of strong winds in winter.'),
    ]
    expect(all.overall_score).toBe(100)
    expect(half.overall_score).toBeGreaterThan(none.overall_score ?? Number.NaN)
    expect(half.overall_score).toBeLessThan(100)
    expect(none.overall_score).toBe(0)
    expect(all.criteria[0]?.evidence[0]?.quote).toContain('The moon pulls')
    expect(model.records.counts()).toEqual({ received: 3, answered: 3, billed: 3 })
  })

  it('is controlled over HTTP, and reports its requests', async () => {
    const post = (path: string, body: unknown) =>
      fetch(`${model.url}/control/${path}`, { method: 'POST', body: JSON.stringify(body) })
    expect((await post('script', [{ do: 'error', status: 418, times: 2 }])).status).toBe(200)
    expect((await post('settings', { latencyMs: 5 })).status).toBe(200)
    expect((await post('settings', { latencyMs: 'soon' })).status).toBe(400)
    const asked = await fetch(`${model.baseUrlOf('openai-compatible')}/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk-very-secret' },
      body: JSON.stringify({ model: 'any', messages: [{ role: 'user', content: 'Hello?' }] }),
    })
    expect(asked.status).toBe(418)
    const counts = await (await fetch(`${model.url}/control/counts`)).json()
    expect(counts).toEqual({ received: 1, answered: 0, billed: 0, most_at_once: 1, billed_twice: [] })
    const requests = await (await fetch(`${model.url}/control/requests`)).text()
    expect(requests).toContain('Hello?')
    expect(requests).not.toContain('very-secret')
    model.settings.latencyMs = 0
  })
})
