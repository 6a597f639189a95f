import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LlmError } from './errors/llm-error.ts'
import {
  apiKey,
  goodAnswer,
  type LlmTestClient,
  llmErrorOf,
  requestAbout,
  startLlmTestClient,
  type TestAnswer,
  testedProviders,
} from './testing/llm-test-client.ts'

describe.each(testedProviders)('asking $provider', (spoken) => {
  let asking: LlmTestClient
  beforeEach(async () => {
    asking = await startLlmTestClient(spoken)
  })
  afterEach(() => asking.model.stop())

  async function errorOf(paper = 'light', options = {}): Promise<LlmError> {
    const error = await asking
      .ask(options)(requestAbout(paper))
      .catch((error: unknown) => error)
    if (!(error instanceof LlmError)) throw new Error('there was no error', { cause: error })
    return error
  }

  it('brings a value of the schema, with what it cost', async () => {
    const answer = await asking.ask()(requestAbout('light'))
    expect(answer).toEqual({ value: goodAnswer, call_id: 1, model: `${spoken.provider}/${spoken.model}` })
    const heard = asking.model.requests[0]
    expect(heard?.asked).toMatchObject({ model: spoken.model, texts: ['The paper says: light'], mostTokens: 1_000 })
    expect(heard?.asked.system).toContain('You grade.')
    expect(heard?.asked.schema?.properties).toHaveProperty('points')
    expect(heard?.key).toBe(apiKey)
    expect(heard?.idempotencyKey).toBe(asking.ledger.rows[0]?.started.identity)
    const ended = asking.ledger.rows[0]?.result
    expect(ended).toMatchObject({ outcome: 'answered', error_code: null, paid: true, tries: 1 })
    expect(ended?.input_tokens).toBe(heard?.input_tokens)
    expect(ended?.dollars).toBeCloseTo(((heard?.input_tokens ?? 0) + 10 * (heard?.output_tokens ?? 0)) / 1e6, 12)
    expect(JSON.parse(ended?.raw ?? '')).toEqual(goodAnswer)
  })

  it('does not count another model’s tokens at this one’s price', async () => {
    await asking.ask()({ ...requestAbout('light'), model: 'gpt-5-large' })
    const [row] = asking.ledger.rows
    expect(row?.started).toMatchObject({ model: 'gpt-5-large', most_dollars: null })
    expect(row?.result).toMatchObject({ outcome: 'answered', dollars: null })
    expect(row?.result?.input_tokens).toBeGreaterThan(0)
    await asking.ask()({ ...requestAbout('light'), model: spoken.model })
    expect(asking.ledger.rows[1]?.result?.dollars).toBeGreaterThan(0)
  })

  it('counts the other model’s tokens at its own price, before and after', async () => {
    const settings = {
      ...spoken,
      base_url: asking.model.baseUrlOf(spoken.provider),
      price: { input: 1, output: 10 },
      second_model: 'gpt-5-large',
      second_price: { input: 100, output: 1000 },
    }
    await asking.ask({ settings })(requestAbout('light'))
    await asking.ask({ settings })({ ...requestAbout('light'), model: 'gpt-5-large' })
    const [first, second] = asking.ledger.rows
    expect(second?.started.most_dollars).toBeCloseTo(100 * (first?.started.most_dollars ?? 0), 9)
    expect(second?.result?.dollars).toBeCloseTo(100 * (first?.result?.dollars ?? 0), 9)
    expect(second?.result?.dollars).toBeGreaterThan(0)
  })

  it('shows pictures as they are', async () => {
    const bytes = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    )
    const question = requestAbout('light')
    question.parts.push({ picture: { bytes, media_type: 'image/png' } })
    await asking.ask()(question)
    expect(asking.model.requests[0]?.asked.pictures).toMatchObject([{ media_type: 'image/png', bytes }])
    expect(asking.ledger.rows[0]?.started.inputs.map(({ kind }) => kind)).toEqual(['system', 'text', 'picture'])
  })

  it.each([
    ['a full house', { do: 'error', status: 429, code: 'rate_limit' }],
    ['a server error', { do: 'error', status: 500 }],
    ['an overloaded server', { do: 'error', status: 529, code: 'overloaded_error' }],
    ['a connection that ends', { do: 'hang_up', after: 'nothing' }],
    ['an answer broken off', { do: 'hang_up', after: 'half' }],
  ] as const)('asks again after %s', async (_, behaviour) => {
    asking.model.script({ ...behaviour, times: 2 })
    expect((await asking.ask()(requestAbout('light'))).value).toEqual(goodAnswer)
    expect(asking.sleeps).toEqual([1_000, 2_000])
    expect(asking.ledger.rows.map(({ result }) => result?.tries)).toEqual([3])
  })

  it.each([
    ['rate_limited', { do: 'error', status: 429, code: 'rate_limit' }],
    ['overloaded', { do: 'error', status: 503 }],
    ['unreachable', { do: 'hang_up', after: 'half' }],
  ] as const)('gives up with %s after four tries', async (code, behaviour) => {
    asking.model.script({ ...behaviour, times: 9 })
    expect(await errorOf()).toMatchObject({ code, scope: 'provider' })
    expect(asking.model.requests).toHaveLength(4)
    expect(asking.ledger.rows[0]?.result).toMatchObject({
      outcome: 'failed',
      error_code: code,
      paid: false,
      tries: 4,
      dollars: 0,
    })
  })
})

describe('what single providers are like', () => {
  it('takes an answer out of a tool’s input, as Anthropic’s older models give it', async () => {
    const asking = await startLlmTestClient({ provider: 'anthropic', model: 'claude-3-haiku-20240307' })
    expect((await asking.ask()(requestAbout('light'))).value).toEqual(goodAnswer)
    expect(asking.model.requests[0]?.asked.byTool).toBe(true)
    await asking.model.stop()
  })

  it('calls a self-hosted server without a key, and skips an LLM’s reasoning', async () => {
    const asking = await startLlmTestClient({ provider: 'openai-compatible', model: 'llama3.2' })
    const text = `<think>Is it {"points": 3}? No.</think>\n\`\`\`json\n${JSON.stringify(goodAnswer)}\n\`\`\``
    asking.model.script({ do: 'say', text })
    expect((await asking.ask({ api_key: '' })(requestAbout('light'))).value).toEqual(goodAnswer)
    expect(asking.model.requests.map(({ key }) => key)).toEqual([null])
    await asking.model.stop()
  })

  it('leaves nothing of a student’s with OpenAI', async () => {
    const asking = await startLlmTestClient({ provider: 'openai', model: 'gpt-5-mini' })
    const bodies: string[] = []
    const fetch: typeof globalThis.fetch = (input, init) => {
      bodies.push(String(init?.body))
      return globalThis.fetch(input, init)
    }
    await asking.ask({ fetch })(requestAbout('light'))
    expect(JSON.parse(bodies[0] ?? '')).toMatchObject({
      store: false,
      text: { format: { type: 'json_schema', strict: true } },
    })
    await asking.model.stop()
  })
})

const wrong = [
  ['broken JSON', { do: 'broken_json' }, 'not valid JSON'],
  ['another criterion’s id', { do: 'wrong_ids' }, 'no criterion no-such-criterion'],
  ['a score out of range', { do: 'out_of_range' }, 'points'],
  ['something else altogether', { do: 'say', value: { hello: 'world' } }, 'criterion_id'],
  ['a number as words', { do: 'say', value: { ...goodAnswer, points: 'seven' } }, 'points'],
  ['words around the JSON', { do: 'say', text: `Here it is: ${JSON.stringify(goodAnswer)}` }, 'not valid JSON'],
  ['nothing', { do: 'say', text: '' }, 'empty'],
] as const

describe.each(testedProviders)('a wrong answer of $provider', (spoken) => {
  let asking: LlmTestClient
  beforeEach(async () => {
    asking = await startLlmTestClient(spoken)
  })
  afterEach(() => asking.model.stop())

  it.each(wrong)('asks once more after %s, and says what was wrong', async (_, behaviour, complaint) => {
    asking.model.script(behaviour)
    expect((await asking.ask()(requestAbout('light'))).value).toEqual(goodAnswer)
    const [first, second] = asking.model.requests
    expect(asking.model.requests).toHaveLength(2)
    expect(first?.asked.turns).toBe(1)
    expect(second?.asked.texts.join('\n')).toContain('The paper says: light')
    expect(second?.asked.texts.at(-1)).toContain(complaint)
    // Under the same key a provider would repeat its wrong answer.
    expect(second?.idempotencyKey).not.toBe(first?.idempotencyKey)
    expect(asking.ledger.outcomes).toEqual(['wrong', 'answered'])
    expect(
      asking.ledger.rows.every(({ result }) => result?.paid && (result.output_tokens === 0) === (result.raw === '')),
    ).toBe(true)
    expect(asking.sleeps).toEqual([])
  })

  it('reserves money for the invalid response and the error message that the second request repeats', async () => {
    asking.model.script({ do: 'say', text: `It is ${'long and wrong '.repeat(2_000)}` })
    expect((await asking.ask()(requestAbout('light'))).value).toEqual(goodAnswer)
    const [first, second] = asking.ledger.rows
    expect(second?.started.most_dollars).toBeGreaterThan((first?.started.most_dollars ?? 0) + 30_000 / 4 / 1e6)
    expect(second?.started.most_dollars).toBeGreaterThanOrEqual(second?.result?.dollars ?? 1)
  })

  it.each(wrong)('fails after %s twice, with a reason and without a value', async (_, behaviour) => {
    asking.model.script({ ...behaviour, times: 2 })
    const error = await llmErrorOf(asking.ask()(requestAbout('light')))
    expect(error).toMatchObject({ code: 'bad_answer', scope: 'request' })
    expect(error.message).toContain('gave an unusable response twice')
    expect(asking.ledger.outcomes).toEqual(['wrong', 'wrong'])
    expect(asking.model.requests).toHaveLength(2)
  })

  it('starts over when a teacher tries again, without paying twice', async () => {
    asking.model.settings.idempotency = true
    asking.model.script({ do: 'wrong_ids', times: 2 })
    await llmErrorOf(asking.ask()(requestAbout('light')))
    expect((await asking.ask()(requestAbout('light'))).value).toEqual(goodAnswer)
    const third = asking.model.requests[2]
    expect(third?.asked.turns).toBe(1)
    expect(new Set(asking.model.requests.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(3)
  })

  it('goes on after a crash where it was: with what was wrong, not with the first question', async () => {
    asking.model.script({ do: 'wrong_ids' }, { do: 'error', status: 503, times: 4 })
    expect(await llmErrorOf(asking.ask()(requestAbout('light')))).toMatchObject({ code: 'overloaded' })
    expect((await asking.ask()(requestAbout('light'))).value).toEqual(goodAnswer)
    expect(asking.model.requests.map(({ asked }) => asked.turns)).toEqual([1, 2, 2, 2, 2, 2])
    expect(asking.model.records.counts()).toMatchObject({ billed: 2 })
  })

  it('leaves an answer’s words as they are, whatever they look like, but for the key itself', async () => {
    const value: TestAnswer = {
      criterion_id: 'key-points-1',
      points: 7,
      quotes: ['It is a basic oxide, as sk_iplessons says.', apiKey, encodeURIComponent(apiKey)],
    }
    asking.model.script({ do: 'say', value })
    const question = { ...requestAbout('CaO'), check: () => null }
    expect((await asking.ask()(question)).value).toEqual({ ...value, quotes: [value.quotes[0], '[key]', '[key]'] })
    expect(asking.model.requests).toHaveLength(1)
    expect(asking.ledger.rows[0]?.result?.raw).not.toContain('51Habc')
  })

  it('takes an answer out of its fence', async () => {
    asking.model.script({ do: 'fenced' })
    expect((await asking.ask()(requestAbout('light'))).value).toEqual(goodAnswer)
    expect(asking.model.requests).toHaveLength(1)
  })

  it.each([
    ['refused', { do: 'refuse' }],
    ['cut_off', { do: 'cut_off' }],
  ] as const)('takes %s for what it is, pays for it and asks no more', async (code, behaviour) => {
    asking.model.script(behaviour)
    expect(await llmErrorOf(asking.ask()(requestAbout('light')))).toMatchObject({ code, scope: 'request' })
    expect(asking.model.requests).toHaveLength(1)
    expect(asking.ledger.rows[0]?.result).toMatchObject({ outcome: 'failed', error_code: code, paid: true })
    if (code === 'cut_off') expect(asking.ledger.rows[0]?.result?.output_tokens).toBeGreaterThan(0)
    expect((await asking.ask()(requestAbout('light'))).value).toEqual(goodAnswer)
    expect(asking.model.requests[1]?.idempotencyKey).not.toBe(asking.model.requests[0]?.idempotencyKey)
  })
})
