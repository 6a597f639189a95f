import { TaskCancelledError, TimeoutStrategy, timeout } from 'cockatiel'
import type { Log } from '../../../lib/log.ts'
import { classifyProviderError, type ProviderFailure } from '../errors/classify-provider-error.ts'
import { LlmError } from '../errors/llm-error.ts'
import type { ErrorContext, LlmErrorMessages } from '../errors/llm-error-messages.ts'
import { redactKeys } from '../errors/redact-keys.ts'
import type { Permit } from './circuit-breaker.ts'
import type { ProviderState } from './provider-state.ts'
import { openLanguageModel, type ProviderAddress, providerDisplayName } from './providers.ts'
import { maxAttempts, maxRetryWaitMs, type RetryClock, retryDelay } from './retry-policy.ts'
import { type OutgoingRequest, type ProviderResponse, sendRequest } from './send-request.ts'

/** A provider and how to reach it. */
export interface ProviderConnection extends ProviderAddress {
  api_key: string
  state: ProviderState
  fetch: typeof globalThis.fetch
  clock: RetryClock
  log: Pick<Log, 'warn'> | null
  /** The longest a response may take, in ms, not counting the wait for a slot. */
  timeoutMs: number
  limiter: ConcurrencyLimiter
}

/** Runs something once a slot is free. @throws the signal's reason when it is stopped before */
export type ConcurrencyLimiter = <T>(run: () => Promise<T>, signal: AbortSignal) => Promise<T>

/** What was sent, known also when there is no response in the end. */
export interface AttemptCount {
  tries: number
  /** Since when (ms since 1970) the provider has had a request that it has neither answered nor refused; null: none. */
  pendingSince: number | null
}

/**
 * One response from the provider, whatever it says. Retries what may pass, as long as the waits are short.
 * @throws {LlmError} of the provider or the settings; the signal's reason when it was stopped
 */
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
  // Somebody who tests the connection gets the result at once, and retries by hand.
  const attempts = is_connection_test ? 1 : maxAttempts
  const languageModel = await openLanguageModel(provider, api_key, model, provider.fetch)
  const hasPictures = parts.some((part) => 'picture' in part)
  // A test finds out what works now, not what was found earlier.
  if (is_connection_test) state.modelsWithoutSchema.delete(model)
  // A refused schema does not count as a failure.
  let failures = 0
  for (;;) {
    const schemaInWords = state.modelsWithoutSchema.has(model)
    // Providers refuse the same idempotency key with another body.
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
      throw finalError(failure, messages, context, api_key, permit)
    await clock.sleep(retryDelay(failures, failure.retryAfterMs, clock.random()), signal)
    permit.throwIfOpen()
  }
}

/** @throws {TaskCancelledError} when it takes longer, or is stopped */
function withTimeout<T>(ms: number, signal: AbortSignal, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const limit = timeout(ms, { strategy: TimeoutStrategy.Aggressive, abortOnReturn: false })
  return limit.execute((context) => run(context.signal), signal)
}

function finalError(
  failure: ProviderFailure,
  messages: LlmErrorMessages,
  context: ErrorContext,
  apiKey: string,
  permit: Permit,
): LlmError {
  const quote = failure.providerMessage && redactKeys(failure.providerMessage, apiKey)
  const { retryAfterMs } = failure
  // The SDK's error is not passed on as the cause: it holds the request, and so the student's text and the key.
  const error = new LlmError(failure.code, messages.failure(failure, context, quote), {
    ...(retryAfterMs !== null && { retryAfterMs }),
  })
  if (error.scope !== 'provider') permit.succeeded()
  else permit.failed(retryAfterMs !== null && retryAfterMs > maxRetryWaitMs ? retryAfterMs : undefined)
  return error
}
