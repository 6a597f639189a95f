import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ConcurrencyLimiter } from './provider/request-with-retries.ts'
import {
  goodAnswer,
  type LlmTestClient,
  llmErrorOf,
  requestAbout,
  startLlmTestClient,
  testedProviders,
} from './testing/llm-test-client.ts'

const soon = { do: 'error', status: 429, code: 'rate_limit' } as const

describe.each(testedProviders)('waiting for $provider', (spoken) => {
  let asking: LlmTestClient
  beforeEach(async () => {
    asking = await startLlmTestClient(spoken)
  })
  afterEach(() => asking.model.stop())

  it.each([
    ['seconds', { 'retry-after': '7' }, 7_000],
    ['a date', { 'retry-after': new Date(Date.UTC(2026, 0, 1, 0, 0, 12)).toUTCString() }, 12_000],
    ['milliseconds', { 'retry-after-ms': '2500', 'retry-after': '3' }, 2_500],
  ])('waits as long as it asks for in %s', async (_, headers, ms) => {
    asking.model.script({ ...soon, headers })
    await asking.ask()(requestAbout('light'))
    expect(asking.sleeps).toHaveLength(1)
    expect(asking.sleeps[0]).toBeGreaterThanOrEqual(ms)
    expect(asking.sleeps[0]).toBeLessThan(ms * 1.2)
  })

  it('reports a long wait instead of sleeping, and sends nothing before it is over', async () => {
    asking.model.script({ ...soon, headers: { 'retry-after': '120' } })
    expect(await llmErrorOf(asking.ask()(requestAbout('light')))).toMatchObject({
      code: 'rate_limited',
      retryAfterMs: 120_000,
    })
    expect(asking.sleeps).toEqual([])
    asking.time.now += 100_000
    expect(await llmErrorOf(asking.ask()(requestAbout('heat')))).toMatchObject({
      code: 'waiting',
      retryAfterMs: 20_000,
    })
    expect(asking.model.requests).toHaveLength(1)
    asking.time.now += 20_000
    expect((await asking.ask()(requestAbout('heat'))).value).toEqual(goodAnswer)
  })

  it('starts the timeout when the request is sent, not while it waits for a slot', async () => {
    asking.model.settings.latencyMs = 400
    let before: Promise<unknown> = Promise.resolve()
    // The last has waited for longer than its timeout.
    const limiter: ConcurrencyLimiter = (run) => {
      const mine = before.then(run)
      before = mine.catch(() => {})
      return mine
    }
    const ask = asking.ask({ timeoutMs: 1_000, limiter })
    const answers = await Promise.all(['light', 'heat', 'sound', 'ice'].map((one) => ask(requestAbout(one))))
    expect(answers.map(({ value }) => value)).toEqual(Array(4).fill(goodAnswer))
  })

  it('stops waiting for an answer at once, and the request with it', async () => {
    asking.model.script({ do: 'stall' })
    const { asked, stop } = asking.askToStop('light')
    await until(() => asking.model.requests.length === 1)
    const since = performance.now()
    stop(new Error('the run was stopped'))
    expect(await asked).toEqual(new Error('the run was stopped'))
    await until(() => asking.model.requests[0]?.abandoned === true)
    expect(performance.now() - since).toBeLessThan(500)
    await until(() => asking.ledger.outcomes[0] === 'failed')
    expect(asking.ledger.rows[0]?.result).toMatchObject({ error_code: null, paid: false })
  })

  it('stops in the middle of a pause', async () => {
    asking.model.script({ ...soon, times: 9 })
    const { systemRetryClock } = await import('./provider/request-with-retries.ts')
    const pace = { ...systemRetryClock, now: () => asking.time.now }
    const { asked, stop } = asking.askToStop('light', { clock: pace })
    await until(() => asking.model.requests[0]?.status === 429)
    const since = performance.now()
    stop(new Error('the run was stopped'))
    expect(await asked).toEqual(new Error('the run was stopped'))
    expect(performance.now() - since).toBeLessThan(300)
    expect(asking.model.requests).toHaveLength(1)
  })

  it.each([
    ['never comes', { do: 'stall' }],
    ['comes a drop at a time', { do: 'slow', pieces: 50, pauseMs: 40 }],
  ] as const)('times out a response that %s', async (_, behaviour) => {
    asking.model.script(behaviour)
    const error = await llmErrorOf(asking.ask({ timeoutMs: 300 })(requestAbout('light')))
    expect(error).toMatchObject({ code: 'timeout', scope: 'provider' })
    expect(asking.model.requests).toHaveLength(1)
    await until(() => asking.model.requests[0]?.abandoned === true)
    // The provider may charge for all of it, even if nobody waits any more.
    const { started, result } = asking.ledger.rows[0] ?? {}
    expect(result).toMatchObject({ outcome: 'failed', paid: false, estimated: true, output_tokens: 1_000 })
    expect(result?.dollars).toBe(started?.most_dollars)
    expect(result?.dollars).toBeGreaterThan(0)
  })

  it('books what can have been written of an abandoned response', async () => {
    asking.model.script({ do: 'stall' })
    const { asked, stop } = asking.askToStop('light')
    await until(() => asking.model.requests.length === 1)
    asking.time.now += 2_000
    stop(new Error('the run was stopped'))
    await asked
    await until(() => asking.ledger.outcomes[0] === 'failed')
    const { started, result } = asking.ledger.rows[0] ?? {}
    expect(result).toMatchObject({ error_code: null, paid: false, estimated: true, output_tokens: 400 })
    expect(result?.input_tokens).toBeGreaterThan(0)
    expect(result?.dollars).toBeLessThan(started?.most_dollars ?? 0)
  })

  it.each([
    ['refused by the provider', { do: 'error', status: 503, times: 9 }],
    ['that never reached it', { do: 'hang_up', after: 'nothing', times: 9 }],
  ] as const)('books nothing for a request %s', async (_, behaviour) => {
    asking.model.script(behaviour)
    await llmErrorOf(asking.ask()(requestAbout('light')))
    expect(asking.ledger.rows[0]?.result).toMatchObject({ estimated: false, input_tokens: 0, dollars: 0 })
  })

  it('books nothing for a request stopped while it waits for a slot', async () => {
    const stop = new AbortController()
    const limiter: ConcurrencyLimiter = (_run, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
        stop.abort(new Error('the run was stopped'))
      })
    await asking
      .ask({ limiter })(requestAbout('light'), stop.signal)
      .catch(() => {})
    await until(() => asking.ledger.outcomes[0] === 'failed')
    expect(asking.ledger.rows[0]?.result).toMatchObject({ estimated: false, input_tokens: 0, dollars: 0 })
    expect(asking.model.requests).toHaveLength(0)
  })

  it('accepts a response that comes slowly, but in time', async () => {
    asking.model.script({ do: 'slow', pieces: 5, pauseMs: 20 })
    expect((await asking.ask()(requestAbout('light'))).value).toEqual(goodAnswer)
  })

  it('opens the circuit after several failures, sends one probe, then closes it', async () => {
    asking.model.script({ do: 'error', status: 503, times: 16 })
    for (const paper of ['a', 'b', 'c', 'd'])
      expect(await llmErrorOf(asking.ask()(requestAbout(paper)))).toMatchObject({ code: 'overloaded' })
    expect(await llmErrorOf(asking.ask()(requestAbout('e')))).toMatchObject({ code: 'waiting', retryAfterMs: 15_000 })
    expect(asking.model.requests).toHaveLength(16)
    expect(asking.ledger.rows).toHaveLength(4)

    asking.time.now += 15_000
    asking.model.settings.latencyMs = 100
    const first = asking.ask()(requestAbout('e'))
    await until(() => asking.model.requests.length === 17)
    expect(await llmErrorOf(asking.ask()(requestAbout('f')))).toMatchObject({ code: 'waiting' })
    expect((await first).value).toEqual(goodAnswer)
    expect((await asking.ask()(requestAbout('f'))).value).toEqual(goodAnswer)
  })

  it('doubles the time after each failed probe, up to five minutes', async () => {
    asking.model.script({ do: 'error', status: 500, times: 100 })
    for (const paper of ['a', 'b', 'c', 'd']) await llmErrorOf(asking.ask()(requestAbout(paper)))
    const waits: (number | null)[] = []
    for (let n = 0; n < 7; n++) {
      const { retryAfterMs } = await llmErrorOf(asking.ask()(requestAbout('e')))
      waits.push(retryAfterMs)
      asking.time.now += retryAfterMs ?? 0
      expect(await llmErrorOf(asking.ask()(requestAbout('e')))).toMatchObject({ code: 'overloaded' })
    }
    expect(waits).toEqual([15_000, 30_000, 60_000, 120_000, 240_000, 300_000, 300_000])
  })

  it('lets another probe through when the first is stopped', async () => {
    asking.model.script({ do: 'error', status: 503, times: 16 }, { do: 'stall' })
    for (const paper of ['a', 'b', 'c', 'd']) await llmErrorOf(asking.ask()(requestAbout(paper)))
    asking.time.now += 15_000
    const probe = asking.askToStop('e')
    await until(() => asking.model.requests.length === 17)
    probe.stop()
    await probe.asked
    await until(() => asking.ledger.outcomes.at(-1) === 'failed')
    expect((await asking.ask()(requestAbout('f'))).value).toEqual(goodAnswer)
  })

  it('lets a connection test through an open circuit, and closes it when there is a response', async () => {
    asking.model.script({ do: 'error', status: 503, times: 16 })
    for (const paper of ['a', 'b', 'c', 'd']) await llmErrorOf(asking.ask()(requestAbout(paper)))
    expect(await llmErrorOf(asking.ask()(requestAbout('e')))).toMatchObject({ code: 'waiting' })
    await asking.ask()({ ...requestAbout('try'), purpose: 'test', is_connection_test: true })
    expect((await asking.ask()(requestAbout('e'))).value).toEqual(goodAnswer)
  })

  it('does not open the circuit for another key', async () => {
    asking.model.script({ do: 'error', status: 503, times: 16 })
    for (const paper of ['a', 'b', 'c', 'd']) await llmErrorOf(asking.ask()(requestAbout(paper)))
    expect((await asking.ask({ api_key: 'another key' })(requestAbout('e'))).value).toEqual(goodAnswer)
  })

  it('does not open the circuit for invalid responses or wrong settings', async () => {
    asking.model.script({ do: 'error', status: 400, times: 5 }, { do: 'refuse', times: 5 })
    for (const paper of 'abcdefghij') await llmErrorOf(asking.ask()(requestAbout(paper)))
    expect((await asking.ask()(requestAbout('k'))).value).toEqual(goodAnswer)
  })
})

async function until(done: () => boolean): Promise<void> {
  const since = performance.now()
  while (!done()) {
    if (performance.now() - since > 5_000) throw new Error('it never happened')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

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
    // As after a crash, only the ledger is left, and it says that nothing came.
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
