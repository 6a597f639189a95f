import { randomUUID } from 'node:crypto'
import type { LlmPrice, LlmSettings } from '@assay/shared/llm/llm-settings.ts'
import { z } from 'zod'
import { hashOf } from '../../lib/security/hash-of.ts'
import type { LlmErrorMessages } from './errors/classify-provider-error.ts'
import { connectionTestMessages } from './errors/connection-test-messages.ts'
import { LlmError } from './errors/llm-error.ts'
import { redactApiKey } from './errors/redact-keys.ts'
import {
  type InputHash,
  type LlmCallLedger,
  type LlmCallResult,
  type LlmCallStart,
  maxRawLength,
} from './llm-call-ledger.ts'
import type { InvalidResponse, LlmClient, LlmRequest } from './llm-request.ts'
import { abandonedTokens, costInDollars, maxTokens } from './llm-request.ts'
import type { ProviderStates, StoredResponse } from './provider/provider-state.ts'
import { providerDisplayName } from './provider/providers.ts'
import {
  type AttemptCount,
  maxAttempts,
  type ProviderConnection,
  requestWithRetries,
  retryDelay,
  systemRetryClock,
} from './provider/request-with-retries.ts'
import { singleFlight } from './provider/single-flight.ts'

/** Without a `limiter`, requests are unlimited. */
export interface LlmClientOptions
  extends Partial<Pick<ProviderConnection, 'log' | 'timeoutMs' | 'fetch' | 'limiter' | 'clock'>> {
  settings: Pick<LlmSettings, 'provider' | 'model' | 'base_url' | 'price'> &
    Partial<Pick<LlmSettings, 'second_model' | 'second_price'>>
  /** Empty where the server wants none. */
  api_key: string
  /** Without a run or a rubric's generation, equal requests are separate. */
  context: CallContext
  ledger: LlmCallLedger
  /** Shared by all clients of the process. */
  providerStates: ProviderStates
  /** For the person whose work it is; the client words connection tests itself. */
  messages: LlmErrorMessages
}

export function createLlmClient(options: LlmClientOptions): LlmClient {
  const { settings, api_key, ledger, clock = systemRetryClock } = options
  const state = options.providerStates.stateOf(settings, api_key)
  const provider: ProviderConnection = {
    provider: settings.provider,
    base_url: settings.base_url,
    api_key,
    state,
    clock,
    fetch: options.fetch ?? globalThis.fetch,
    limiter: options.limiter ?? ((run) => run()),
    log: options.log ?? null,
    timeoutMs: options.timeoutMs ?? 120_000,
  }

  return async (request, signal) => {
    const model = request.model ?? settings.model
    const { purpose, prompt_version, schema_name } = request
    const inputs = hashInputs(request)
    const asked = { purpose, provider: settings.provider, model, prompt_version, schema_name, inputs }
    const known = requestIdentity(asked, options.context)
    const identity = isDeduplicated(options.context) ? known : attemptIdentity(`${known} ${randomUUID()}`, 2)
    const { call_id, raw } = await singleFlight(state.inFlight, identity, signal, (signal) =>
      findOrSend(request, { ...asked, identity }, signal),
    )
    const parsed = parseResponse(request, raw)
    // Only when identical concurrent requests have different checks.
    if ('complaint' in parsed) throw invalidResponseError(request, model, parsed.complaint, raw)
    return { value: parsed.value, call_id, model: `${settings.provider}/${model}` }
  }

  /** Paid responses come first. After two invalid ones a new identity is used, as the provider would repeat itself. */
  async function findOrSend<T>(
    request: LlmRequest<T>,
    call: PreparedCall,
    signal: AbortSignal,
  ): Promise<StoredResponse> {
    let previous: InvalidResponse | null = null
    let n = 1
    for (; ; n++) {
      const before = await ledger.find(attemptIdentity(call.identity, n))
      if (!before) break
      const parsed = before.outcome === 'failed' ? null : parseResponse(request, before.raw)
      if (parsed && 'value' in parsed) return before
      previous = parsed && !previous ? { raw: before.raw, complaint: parsed.complaint } : null
    }
    for (; ; n++) {
      const answer = await makeCall(request, { ...call, identity: attemptIdentity(call.identity, n) }, previous, signal)
      if (!answer.complaint) return answer
      if (previous) throw invalidResponseError(request, call.model, answer.complaint, answer.raw)
      previous = { raw: answer.raw, complaint: answer.complaint }
    }
  }

  /** `complaint` is empty when the response is valid. */
  async function makeCall<T>(
    request: LlmRequest<T>,
    call: PreparedCall,
    previous: InvalidResponse | null,
    signal: AbortSignal,
  ): Promise<StoredResponse & { complaint: string }> {
    signal.throwIfAborted()
    const permit = state.circuitBreaker.acquire(providerDisplayName(provider), request.is_connection_test)
    const price = priceOf(call.model)
    const max = maxTokens(request, previous)
    const result: LlmCallResult & AttemptCount = {
      outcome: 'failed',
      error_code: null,
      paid: false,
      raw: '',
      input_tokens: 0,
      output_tokens: 0,
      dollars: price && 0,
      estimated: false,
      ms: 0,
      tries: 0,
      pendingSince: null,
    }
    const messages = messagesFor(request)
    let call_id: number
    try {
      call_id = await ledger.begin({ ...call, most_dollars: costInDollars(max, price) })
    } catch (error) {
      permit.cancelled()
      throw error
    }
    const started = clock.now()
    let complaint = ''
    try {
      const send = { request, previous, idempotencyKey: call.identity }
      const response = await requestWithRetries(provider, call.model, send, messages, permit, result, signal)
      const { finish, text, input_tokens, output_tokens } = response
      const raw = redactApiKey(text, api_key).slice(0, maxRawLength)
      const dollars = costInDollars(response, price)
      Object.assign(result, { paid: true, raw, input_tokens, output_tokens, dollars })
      if (finish !== 'whole') throw new LlmError(finish, messages[finish](call.model))
      const parsed = parseResponse(request, raw)
      if ('complaint' in parsed) complaint = parsed.complaint
      result.outcome = complaint ? 'wrong' : 'answered'
    } catch (error) {
      permit.cancelled()
      if (error instanceof LlmError) result.error_code = error.code
      throw error
    } finally {
      const { pendingSince, ...call } = result
      call.ms = clock.now() - started
      if (pendingSince !== null) {
        // The charge for a response nobody waited for is unknown.
        const tokens = abandonedTokens(max, clock.now() - pendingSince, call.error_code === 'timeout')
        Object.assign(call, { ...tokens, dollars: costInDollars(tokens, price), estimated: true })
      }
      await recordResult(call_id, call)
    }
    return { call_id, raw: result.raw, complaint }
  }

  function priceOf(model: string): LlmPrice | null {
    if (model === settings.model) return settings.price
    return model === settings.second_model ? (settings.second_price ?? null) : null
  }

  /** Retried even for a stopped caller: a short loss of the database must not lose a paid response. */
  async function recordResult(call_id: number, result: LlmCallResult): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return await ledger.finish(call_id, result)
      } catch (error) {
        if (tries === maxAttempts) throw error
        await clock.sleep(retryDelay(tries, null, 0), new AbortController().signal)
      }
    }
  }

  function messagesFor({ is_connection_test }: Pick<LlmRequest<unknown>, 'is_connection_test'>): LlmErrorMessages {
    return is_connection_test ? connectionTestMessages : options.messages
  }

  function invalidResponseError(
    request: Pick<LlmRequest<unknown>, 'is_connection_test'>,
    model: string,
    complaint: string,
    raw: string,
  ): LlmError {
    const message = messagesFor(request).invalidResponse(model, redactApiKey(complaint, api_key), raw)
    return new LlmError('bad_answer', message)
  }
}

type PreparedCall = Omit<LlmCallStart, 'most_dollars'>

type ParsedResponse<T> = { value: T } | { complaint: string }

/** Nothing is repaired; only reasoning and code fences are removed. */
function parseResponse<T>(question: Pick<LlmRequest<T>, 'schema' | 'check'>, raw: string): ParsedResponse<T> {
  const text = stripReasoningAndFence(raw)
  if (text === '') return { complaint: 'The answer was empty.' }
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    const why = error instanceof SyntaxError ? ` (${error.message.slice(0, 120)})` : ''
    return { complaint: `The answer is not valid JSON${why}.` }
  }
  const read = question.schema.safeParse(json)
  if (!read.success)
    return { complaint: `The answer does not fit the schema:\n${z.prettifyError(read.error).slice(0, 2_000)}` }
  const complaint = question.check?.(read.data) ?? null
  return complaint === null ? { value: read.data } : { complaint }
}

/** Local LLMs often write them against the instructions. */
function stripReasoningAndFence(raw: string): string {
  const text = raw.replace(/^\s*<think>[\s\S]*?<\/think>/, '').trim()
  return /^```(?:json)?\s*\n([\s\S]*?)\n?```$/.exec(text)?.[1]?.trim() ?? text
}

interface CallContext {
  run_id?: number | undefined
  submission_id?: number | undefined
  generation_id?: number | undefined
}

const isDeduplicated = ({ run_id, generation_id }: CallContext): boolean =>
  run_id !== undefined || generation_id !== undefined

const hashInputs = ({ system, parts }: Pick<LlmRequest<unknown>, 'system' | 'parts'>): InputHash[] => [
  hash('system', system),
  ...parts.map((part) => ('text' in part ? hash('text', part.text) : hash('picture', part.picture.bytes))),
]

/** Hexadecimal sha256; parts enter by hash, as pictures are large. */
function requestIdentity(asked: Omit<PreparedCall, 'identity'>, about: CallContext): string {
  const { purpose, provider, model, prompt_version, schema_name, inputs } = asked
  const { run_id = null, submission_id = null, generation_id } = about
  // “making”, as stored identities of answers already paid for have it.
  const making = generation_id === undefined ? [] : [`making ${generation_id}`]
  const words = [run_id, submission_id, purpose, provider, model, prompt_version, schema_name, ...making]
  return hashOf(JSON.stringify([...words, ...inputs.map((input) => [input.kind, input.sha256])]))
}

const attemptIdentity = (identity: string, n: number): string => (n === 1 ? identity : hashOf(`${identity} ${n}`))

function hash(kind: InputHash['kind'], content: string | Uint8Array): InputHash {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  return { kind, sha256: hashOf(bytes), bytes: bytes.byteLength }
}
