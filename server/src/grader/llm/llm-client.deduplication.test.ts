import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  goodAnswer,
  type LlmTestClient,
  llmErrorOf,
  requestAbout,
  startLlmTestClient,
  testedProviders,
} from './testing/llm-test-client.ts'

describe.each(testedProviders)('paying $provider once', (spoken) => {
  let asking: LlmTestClient
  beforeEach(async () => {
    asking = await startLlmTestClient(spoken)
  })
  afterEach(() => asking.model.stop())

  it('takes a response of the same run from the ledger, but not another run’s', async () => {
    const first = await asking.ask()(requestAbout('light'))
    const again = await asking.ask()(requestAbout('light'))
    expect(again).toEqual(first)
    expect(asking.model.requests).toHaveLength(1)
    await asking.ask({ context: { run_id: 2, submission_id: 1 } })(requestAbout('light'))
    await asking.ask({ context: { run_id: 1, submission_id: 2 } })(requestAbout('light'))
    expect(asking.model.requests).toHaveLength(3)
  })

  it('does not deduplicate outside a run', async () => {
    const ask = asking.ask({ context: {} })
    await Promise.all([ask(requestAbout('light')), ask(requestAbout('light'))])
    expect(asking.model.requests).toHaveLength(2)
  })

  it.each([
    ['the purpose', { purpose: 'second_opinion' }],
    ['the prompt’s version', { prompt_version: 'test-2' }],
    ['the instructions', { system: 'You grade kindly.' }],
    ['the paper', { parts: [{ text: 'Another.' }] }],
    ['the model', { model: 'another-model' }],
    ['the schema', { schema_name: 'verdict_2' }],
  ] as const)('treats a request as a new one when %s differs', async (_, change) => {
    await asking.ask()(requestAbout('light'))
    await asking.ask()({
      ...requestAbout('light'),
      ...change,
      parts: 'parts' in change ? [...change.parts] : requestAbout('light').parts,
    })
    expect(asking.model.requests).toHaveLength(2)
  })

  it('does not lose a response that cannot be recorded at first', async () => {
    const finish = vi.spyOn(asking.ledger, 'finish')
    finish.mockRejectedValueOnce(new Error('the connection is lost'))
    finish.mockRejectedValueOnce(new Error('the connection is lost'))
    expect((await asking.ask()(requestAbout('light'))).value).toEqual(goodAnswer)
    expect(asking.ledger.outcomes).toEqual(['answered'])
    expect(asking.model.requests).toHaveLength(1)
    expect(asking.sleeps).toHaveLength(2)
  })

  it('sends two identical requests at the same time once', async () => {
    asking.model.settings.latencyMs = 50
    const [one, two] = await Promise.all([asking.ask()(requestAbout('light')), asking.ask()(requestAbout('light'))])
    expect(one).toEqual(two)
    expect(asking.model.records.counts()).toEqual({ received: 1, answered: 1, billed: 1 })
  })

  it('continues for one caller when the other is stopped', async () => {
    asking.model.settings.latencyMs = 100
    const { asked, stop } = asking.askToStop('light')
    const other = asking.ask()(requestAbout('light'))
    setTimeout(() => stop(new Error('stopped')), 30)
    expect(await asked).toEqual(new Error('stopped'))
    expect((await other).value).toEqual(goodAnswer)
    expect(asking.model.requests).toHaveLength(1)
  })

  it('gets a response that broke off again, unbilled', async () => {
    asking.model.settings.idempotency = true
    asking.model.script({ do: 'hang_up', after: 'half' })
    expect((await asking.ask()(requestAbout('light'))).value).toEqual(goodAnswer)
    expect(asking.model.requests.map(({ billed, replayed }) => ({ billed, replayed }))).toEqual([
      { billed: true, replayed: false },
      { billed: false, replayed: true },
    ])
  })

  it('gets a response that came after a stop, unbilled', async () => {
    asking.model.settings.idempotency = true
    asking.model.settings.latencyMs = 1_000
    const { asked, stop } = asking.askToStop('light')
    await expect.poll(() => asking.model.records.counts().received).toBe(1)
    stop(new Error('stopped'))
    expect(await asked).toEqual(new Error('stopped'))
    // As a process would that was killed and started again: only the ledger is left, and it says that nothing came.
    expect((await asking.ask()(requestAbout('light'))).value).toEqual(goodAnswer)
    expect(asking.model.records.counts()).toEqual({ received: 2, answered: 1, billed: 1 })
  })

  it('sends nothing that would exceed the budget, with many requests at once', async () => {
    // An answer costs at most 1,000 tokens at $10 a million and a few words more.
    asking.ledger.budget = 0.035
    asking.model.settings.latencyMs = 30
    const asked = await Promise.allSettled(
      Array.from({ length: 10 }, (_, n) => asking.ask()(requestAbout(`paper ${n}`))),
    )
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    expect(asking.model.requests).toHaveLength(3)
    const refused = asked.find((one) => one.status === 'rejected')
    expect(refused?.reason).toMatchObject({ code: 'budget' })
  })

  it('does not open the circuit for a spent budget', async () => {
    asking.ledger.budget = 0
    for (const paper of 'abcdef')
      expect(await llmErrorOf(asking.ask()(requestAbout(paper)))).toMatchObject({ code: 'budget' })
    asking.ledger.budget = 1
    expect((await asking.ask()(requestAbout('g'))).value).toEqual(goodAnswer)
  })

  it('estimates the cost of a response without usage', async () => {
    asking.model.settings.counts = false
    await asking.ask()(requestAbout('light'))
    const ended = asking.ledger.rows[0]?.result
    // Anthropic's protocol always has figures, and noughts are figures.
    if (spoken.provider !== 'anthropic') expect(ended?.output_tokens).toBeGreaterThan(5)
    expect(ended?.dollars).not.toBeNaN()
  })

  it('books no cost without a price', async () => {
    const { model, ledger } = asking
    const settings = { ...spoken, base_url: model.baseUrlOf(spoken.provider), price: null }
    await asking.ask({ settings })(requestAbout('light'))
    expect(ledger.rows[0]).toMatchObject({ started: { most_dollars: null }, result: { dollars: null } })
  })
})
