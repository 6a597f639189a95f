import { afterEach, beforeEach, describe, expect, it } from 'vitest'
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
    // Another question: under the same key a provider would repeat its wrong answer.
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
    expect((await asking.ask()(question)).value).toEqual({
      ...value,
      quotes: [value.quotes[0], '[key]', '[key]'],
    })
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
    // A teacher's retry is a new request, without the idempotency key of the refused one.
    expect((await asking.ask()(requestAbout('light'))).value).toEqual(goodAnswer)
    expect(asking.model.requests[1]?.idempotencyKey).not.toBe(asking.model.requests[0]?.idempotencyKey)
  })
})
