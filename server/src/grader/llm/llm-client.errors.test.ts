import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ScriptedStep } from '../../../../tests/fake-llm/scripted-llm.ts'
import { createSsrfSafeFetch } from '../../lib/security/ssrf-safe-fetch.ts'
import type { LlmErrorCode } from './errors/llm-error.ts'
import {
  apiKey,
  goodAnswer,
  type LlmTestClient,
  llmErrorOf,
  requestAbout,
  startLlmTestClient,
  testedProviders,
} from './testing/llm-test-client.ts'

/** From the providers' documentation and user reports. */
const said: [LlmErrorCode, string, number, string][] = [
  ['key_refused', 'a wrong key', 401, 'Incorrect API key provided.'],
  ['key_refused', 'a forbidden key', 403, 'Your account may not use this.'],
  ['key_refused', 'Google’s word for a wrong key', 400, 'API key not valid. Please pass a valid API key.'],
  ['unknown_model', 'an unknown model', 404, 'The model `gpt-9` does not exist or you do not have access to it.'],
  ['unknown_model', 'Ollama without the model', 404, 'model "llama9" not found, try pulling it first'],
  ['unknown_model', 'Anthropic without the model', 404, 'model: claude-9'],
  [
    'unknown_model',
    'Google without the model',
    404,
    'models/gemini-9 is not found for API version v1beta, or is not supported for generateContent.',
  ],
  ['unknown_model', 'an unknown model as a bad request', 400, 'The requested model gpt-9 does not exist'],
  ['out_of_credit', 'no payment', 402, 'Payment required.'],
  ['out_of_credit', 'OpenAI’s spent quota', 429, 'You exceeded your current quota (insufficient_quota).'],
  ['out_of_credit', 'Anthropic’s spent credit', 400, 'Your credit balance is too low to access the API.'],
  ['too_long', 'OpenAI’s full context', 400, "This model's maximum context length is 8192 tokens."],
  ['too_long', 'Anthropic’s full context', 400, 'prompt is too long: 210000 tokens > 200000 maximum'],
  [
    'too_long',
    'Google’s full context',
    400,
    'The input token count (2000000) exceeds the maximum number of tokens allowed.',
  ],
  ['too_long', 'llama.cpp’s full context', 500, 'the request exceeds the available context size. try increasing it'],
  ['too_long', 'a body too large', 413, 'Request too large.'],
  ['cannot', 'a model without eyes', 400, 'This model does not support image input.'],
  [
    'cannot',
    'llama.cpp without a projector',
    500,
    'image input is not supported - hint: you may need to provide the mmproj',
  ],
  ['bad_request', 'anything else', 400, 'Unknown parameter: temperature.'],
]

const html = { 'content-type': 'text/html; charset=utf-8' }

describe.each(testedProviders)('errors of $provider', (spoken) => {
  let asking: LlmTestClient
  beforeEach(async () => {
    asking = await startLlmTestClient(spoken)
  })
  afterEach(() => asking.model.stop())

  const withPicture = () => {
    const question = requestAbout('light')
    const bytes = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    )
    question.parts.push({ picture: { bytes, media_type: 'image/png' } })
    return question
  }

  it.each(said)('tells %s from %s', async (code, _, status, message) => {
    asking.model.script({ do: 'error', status, message })
    const error = await llmErrorOf(asking.ask()(withPicture()))
    expect(error).toMatchObject({ code, retryAfterMs: null })
    expect(error.message).toMatch(/^[A-Z].{20,}(\.|”)$/)
    expect(asking.model.requests).toHaveLength(1)
    expect(asking.ledger.rows[0]?.result).toMatchObject({ outcome: 'failed', error_code: code, paid: false, tries: 1 })
    expect((await asking.ask()(withPicture())).value).toEqual(goodAnswer)
  })

  it('describes the schema in the prompt for a server that supports none, and remembers', async () => {
    asking.model.settings.takesSchema = false
    expect((await asking.ask()(requestAbout('light'))).value).toEqual(goodAnswer)
    const [refused, taken] = asking.model.requests
    expect(refused?.status).toBe(400)
    expect(taken?.asked.schema).toBeNull()
    expect(taken?.asked.system).toContain('"criterion_id"')
    expect(taken?.idempotencyKey).not.toBe(refused?.idempotencyKey)
    await asking.ask()(requestAbout('heat'))
    expect(asking.model.requests).toHaveLength(3)
    expect(asking.ledger.rows.map(({ result }) => result?.tries)).toEqual([2, 1])
  })

  it('reports a server that accepts neither a schema nor its description', async () => {
    asking.model.script({ do: 'error', status: 400, message: 'json_schema is not supported', times: 2 })
    expect(await llmErrorOf(asking.ask()(requestAbout('light')))).toMatchObject({ code: 'cannot', scope: 'settings' })
    expect(asking.model.requests).toHaveLength(2)
  })

  it.each<[string, ScriptedStep]>([
    ['a web page', { do: 'web_page' }],
    ['a page that says no', { do: 'error', status: 403, headers: html, body: '<h1>Access denied</h1>' }],
    ['a page that is not found', { do: 'error', status: 404, headers: html, body: '<h1>No such model</h1>' }],
    ['another API', { do: 'error', status: 404, message: 'Not Found' }],
    ['Ollama without the end of its address', { do: 'error', status: 404, body: '404 page not found' }],
    ['what takes no questions', { do: 'error', status: 405, message: 'Method Not Allowed' }],
  ])('reports %s as a wrong address', async (_, step) => {
    asking.model.script(step)
    const error = await llmErrorOf(asking.ask()(requestAbout('light')))
    expect(error).toMatchObject({ code: 'wrong_address', scope: 'settings' })
    expect(error.message).toMatch(/instead of a model’s response|there is no model API/)
    expect(error.message).not.toContain('error 200')
    expect(asking.model.requests).toHaveLength(1)
  })

  it('reports errors of a connection test at once, without mentioning papers', async () => {
    const trying = { ...requestAbout('light'), purpose: 'test', is_connection_test: true as const }
    asking.model.script(
      { do: 'error', status: 503, message: 'busy' },
      { do: 'error', status: 429, message: 'too many', headers: { 'retry-after': '20' } },
      { do: 'say', text: 'Certainly! Here are the points you asked for.', times: 2 },
      { do: 'refuse' },
      { do: 'cut_off' },
    )
    const messages = []
    for (let i = 0; i < 5; i++) messages.push((await llmErrorOf(asking.ask()(trying))).message)
    expect(messages).toEqual([
      expect.stringMatching(/reports an error \(error 503\).*Test again.*“busy”/),
      expect.stringContaining('Test again in 20 seconds.'),
      expect.stringMatching(/it wrote no JSON.*It wrote: “Certainly! Here are the points you asked for.”/),
      expect.stringContaining('refused the test request'),
      expect.stringContaining('was cut off'),
    ])
    expect(messages.join()).not.toMatch(/paper|by itself|again later/)
    expect(asking.sleeps).toEqual([])
    const settings = { ...spoken, base_url: 'http://127.0.0.1:9/v1', price: null }
    const fetch = createSsrfSafeFetch({ allowPrivateAddresses: true, allowPlainHttp: true })
    const nobody = await llmErrorOf(asking.ask({ settings, fetch })(trying))
    expect(nobody.message).toMatch(/^Nothing is listening at 127\.0\.0\.1:9:/)
    expect(asking.sleeps).toEqual([])
  })

  it('retries after a response outside its protocol', async () => {
    asking.model.script({ do: 'garbage' })
    expect((await asking.ask()(requestAbout('light'))).value).toEqual(goodAnswer)
  })

  it('does not take a bug of our own for a provider error', async () => {
    const fetch = () => Promise.reject(new RangeError('a bug'))
    await expect(asking.ask({ fetch })(requestAbout('light'))).rejects.toThrow(new RangeError('a bug'))
    expect(asking.ledger.outcomes).toEqual(['failed'])
    expect(asking.sleeps).toEqual([])
  })

  it('retries when the network gives no reason', async () => {
    let failures = 2
    const fetch: typeof globalThis.fetch = (input, init) =>
      failures-- > 0
        ? Promise.reject(new TypeError('fetch failed', { cause: new Error('gone') }))
        : globalThis.fetch(input, init)
    expect((await asking.ask({ fetch })(requestAbout('light'))).value).toEqual(goodAnswer)
    expect(asking.sleeps).toHaveLength(2)
  })

  it('names the provider when nobody listens', async () => {
    const asked = asking.ask()
    await asking.model.stop()
    const error = await llmErrorOf(asked(requestAbout('light')))
    expect(error.code).toBe('unreachable')
    expect(error.message).toContain('(ECONNREFUSED)')
    expect(asking.sleeps).toHaveLength(3)
  })

  describe('does not reveal the key', () => {
    const spellings = [apiKey, encodeURIComponent(apiKey), Buffer.from(apiKey).toString('base64')]
    /** Everything that leaves: the error with all that hangs on it, the ledger, the log. */
    async function everythingSaid(): Promise<string> {
      const logged: unknown[] = []
      const log = { warn: (...words: unknown[]) => void logged.push(words) }
      const error = await llmErrorOf(asking.ask({ log })(requestAbout('the student’s words')))
      const chain: unknown[] = []
      for (let at: unknown = error; at instanceof Error; at = at.cause)
        chain.push(
          at.message,
          at.stack,
          Object.getOwnPropertyNames(at).map((name) => Reflect.get(at, name)),
        )
      return `${error}\n${JSON.stringify([chain, logged, asking.ledger.rows])}`
    }

    const echoes: [string, ScriptedStep[]][] = [
      ['a refusal that repeats it', [{ do: 'echo_key' }]],
      ['a bad request that repeats it', [{ do: 'echo_key', status: 400 }]],
      ['an error that repeats it', [{ do: 'echo_key', status: 503, times: 4 }]],
      ['an unknown model that repeats it', [{ do: 'echo_key', status: 404 }]],
      ['words around it', spellings.map((message) => ({ do: 'error', status: 400, message }))],
      ['a page that holds it', [{ do: 'error', status: 400, body: `<p>Bearer ${apiKey}</p>` }]],
      ['an answer that holds it', [{ do: 'say', text: `{"points": "${apiKey}"}`, times: 2 }]],
      ['an id that holds it', [{ do: 'say', value: { ...goodAnswer, criterion_id: apiKey }, times: 2 }]],
    ]
    it.each(echoes)('in %s', async (_, steps) => {
      asking.model.script(...steps)
      const said = await everythingSaid()
      for (const spelling of spellings) expect(said).not.toContain(spelling)
      expect(said).not.toContain('51Habc')
    })

    it('and the student’s words out of errors and logs', async () => {
      asking.model.script({ do: 'error', status: 400, message: 'no' })
      const logged: unknown[] = []
      const log = { warn: (...words: unknown[]) => void logged.push(words) }
      const error = await llmErrorOf(asking.ask({ log })(requestAbout('the student’s words')))
      expect(JSON.stringify([error.message, error.stack, error.cause ?? null, logged])).not.toContain('student’s words')
      expect(logged).toHaveLength(1)
    })
  })
})
