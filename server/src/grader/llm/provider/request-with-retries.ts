import { setTimeout as after } from 'node:timers/promises'
import type { JSONSchema7, LanguageModel, ModelMessage } from 'ai'
import { TaskCancelledError, TimeoutStrategy, timeout } from 'cockatiel'
import { exponentialBackoff } from '../../../lib/exponential-backoff.ts'
import type { Log } from '../../../lib/log.ts'
import {
  classifyProviderError,
  type ErrorContext,
  type LlmErrorMessages,
  type ProviderFailure,
} from '../errors/classify-provider-error.ts'
import { LlmError } from '../errors/llm-error.ts'
import { redactKeys } from '../errors/redact-keys.ts'
import type { InvalidResponse, LlmMessagePart, LlmRequest } from '../llm-request.ts'
import { estimateTextTokens, type TokenCounts } from '../llm-request.ts'
import type { Permit } from './circuit-breaker.ts'
import type { ProviderState } from './provider-state.ts'
import { openLanguageModel, type ProviderAddress, providerDisplayName } from './providers.ts'

export interface ProviderConnection extends ProviderAddress {
  api_key: string
  state: ProviderState
  fetch: typeof globalThis.fetch
  clock: RetryClock
  log: Pick<Log, 'warn'> | null
  /** In ms, without the wait for a slot. */
  timeoutMs: number
  limiter: ConcurrencyLimiter
}

/** @throws the signal's reason when stopped before a slot is free */
export type ConcurrencyLimiter = <T>(run: () => Promise<T>, signal: AbortSignal) => Promise<T>

/** Also known when there is no response. */
export interface AttemptCount {
  tries: number
  /** ms since 1970; null: no request is unanswered. */
  pendingSince: number | null
}

/** Retries while waits are short. @throws {LlmError} of provider or settings; the signal's reason when stopped */
export async function requestWithRetries(
  provider: ProviderConnection,
  model: string,
  send: Omit<OutgoingRequest, 'schemaInWords'>,
  messages: LlmErrorMessages,
  permit: Permit,
  count: AttemptCount,
  signal: AbortSignal,
): Promise<ProviderResponse> {
  const { state, clock, api_key, timeoutMs } = provider
  const context: ErrorContext = {
    providerName: providerDisplayName(provider),
    model,
    base_url: provider.base_url,
    hasKey: api_key !== '',
  }
  const { is_connection_test = false, parts } = send.request
  // A tester gets the result at once, and retries by hand.
  const attempts = is_connection_test ? 1 : maxAttempts
  const languageModel = await openLanguageModel(provider, api_key, model, provider.fetch)
  const hasPictures = parts.some((part) => 'picture' in part)
  // A test finds out what works now, not what was found earlier.
  if (is_connection_test) state.modelsWithoutSchema.delete(model)
  const finalError = (failure: ProviderFailure): LlmError => {
    const { code, retryAfterMs, providerMessage } = failure
    const message = messages.failure(failure, context, providerMessage && redactKeys(providerMessage, api_key))
    // Without the SDK's error as cause: it holds the student's text and the key.
    const error = new LlmError(code, message, retryAfterMs === null ? {} : { retryAfterMs })
    if (error.scope !== 'provider') permit.succeeded()
    else permit.failed(retryAfterMs !== null && retryAfterMs > maxRetryWaitMs ? retryAfterMs : undefined)
    return error
  }
  // A refused schema does not count as a failure.
  let failures = 0
  for (;;) {
    const schemaInWords = state.modelsWithoutSchema.has(model)
    // Providers refuse an idempotency key with another body.
    const idempotencyKey = schemaInWords ? `${send.idempotencyKey}-words` : send.idempotencyKey
    count.tries++
    let failure: ProviderFailure
    try {
      const response = await provider.limiter(async () => {
        // The circuit may have opened while this waited for a slot.
        permit.throwIfOpen()
        count.pendingSince = clock.now()
        const request = { ...send, schemaInWords, idempotencyKey }
        return withTimeout(timeoutMs, signal, (inner) => sendRequest(languageModel, request, inner))
      }, signal)
      count.pendingSince = null
      permit.succeeded()
      return response
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof TaskCancelledError) {
        permit.failed()
        throw new LlmError('timeout', messages.timeout(context, timeoutMs))
      }
      if (error instanceof LlmError) throw error
      const classified = classifyProviderError(error, clock.now(), hasPictures)
      if (!classified) throw error
      count.pendingSince = null
      failure = classified
    }
    if (failure.unsupported === 'schema' && !schemaInWords) {
      state.modelsWithoutSchema.add(model)
      continue
    }
    failures++
    provider.log?.warn(
      { model, code: failure.code, status: failure.status, tries: count.tries },
      'LLM request attempt failed',
    )
    if (!failure.retryable || failures === attempts || (failure.retryAfterMs ?? 0) > maxRetryWaitMs)
      throw finalError(failure)
    await clock.sleep(retryDelay(failures, failure.retryAfterMs, clock.random()), signal)
    permit.throwIfOpen()
  }
}

/** @throws {TaskCancelledError} on timeout, or when stopped */
function withTimeout<T>(ms: number, signal: AbortSignal, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const limit = timeout(ms, { strategy: TimeoutStrategy.Aggressive, abortOnReturn: false })
  return limit.execute((context) => run(context.signal), signal)
}

interface OutgoingRequest {
  request: Omit<LlmRequest<unknown>, 'check'>
  previous: InvalidResponse | null
  schemaInWords: boolean
  idempotencyKey: string
}

/** Paid for however it ends. */
interface ProviderResponse extends TokenCounts {
  text: string
  finish: 'whole' | 'refused' | 'cut_off'
}

/** Throws what the SDK throws. */
async function sendRequest(
  model: LanguageModel,
  send: OutgoingRequest,
  signal: AbortSignal,
): Promise<ProviderResponse> {
  const { generateText, Output, zodSchema } = await import('ai')
  // Unsupported settings are handled here; SDK warnings would fill the console.
  globalThis.AI_SDK_LOG_WARNINGS = false
  const { request, schemaInWords } = send
  const schema = await zodSchema(request.schema).jsonSchema
  const instructions = schemaInWords ? `${request.system}\n\n${schemaInstructions(schema)}` : request.system
  const result = await generateText({
    model,
    instructions,
    messages: messagesFor(send),
    output: {
      ...Output.text(),
      // As text, so that we parse and store the raw response ourselves.
      responseFormat: Promise.resolve(
        schemaInWords ? { type: 'text' } : { type: 'json', schema, name: request.schema_name },
      ),
    },
    maxOutputTokens: request.most_tokens,
    maxRetries: 0,
    abortSignal: signal,
    headers: { 'Idempotency-Key': send.idempotencyKey },
    // The provider must not store students' data.
    providerOptions: { openai: { store: false } },
  })
  const { finishReason, usage } = result
  const text = finishReason === 'stop' || result.text ? result.output : ''
  return {
    text,
    finish: finishReason === 'length' ? 'cut_off' : finishReason === 'content-filter' ? 'refused' : 'whole',
    // Some local servers report no usage.
    input_tokens: usage.inputTokens ?? estimateTextTokens(instructions + JSON.stringify(send.previous)),
    output_tokens: usage.outputTokens ?? estimateTextTokens(text),
  }
}

function messagesFor({ request, previous }: OutgoingRequest): ModelMessage[] {
  const asked: ModelMessage = { role: 'user', content: request.parts.map(contentOf) }
  if (!previous) return [asked]
  const again = `That answer cannot be used. ${previous.complaint}\nAnswer the question above once more, whole, in the form asked for.`
  if (previous.raw.trim() === '') return [asked, { role: 'user', content: again }]
  return [asked, { role: 'assistant', content: previous.raw }, { role: 'user', content: again }]
}

function contentOf(part: LlmMessagePart) {
  if ('text' in part) return { type: 'text' as const, text: part.text }
  return { type: 'file' as const, data: part.picture.bytes, mediaType: part.picture.media_type }
}

function schemaInstructions(schema: JSONSchema7): string {
  return `Answer with one JSON object and nothing else: no words before or after it, no code fence. It must fit this JSON Schema:\n${JSON.stringify(schema)}`
}

export const maxAttempts = 4

const maxRetryWaitMs = 30_000 // longer ones are told to the caller, so that a run can show them

const firstDelayMs = 1_000
const maxDelayMs = 20_000

interface RetryClock {
  /** ms since 1970. */
  now(): number
  /** Ends early with the signal's reason. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
  random(): number
}

export const systemRetryClock: RetryClock = {
  now: () => Date.now(),
  sleep: (ms, signal) => after(ms, undefined, { signal }).catch(() => signal.throwIfAborted()),
  random: Math.random,
}

/** In ms after attempt `tries` (from 1): as the provider asks, else doubling; jitter keeps callers apart. */
export function retryDelay(tries: number, retryAfterMs: number | null, random: number): number {
  if (retryAfterMs !== null) return retryAfterMs + random * Math.min(1_000, 200 + retryAfterMs / 10)
  return exponentialBackoff(tries, { initialMs: firstDelayMs, maxMs: maxDelayMs, jitter: 0.5, random: () => random })
}
