import type { Log } from '../../lib/log.ts'
import type { Permit } from './circuit-breaker.ts'
import { classifyProviderError, type ProviderFailure } from './classify-provider-error.ts'
import { LlmError } from './llm-error.ts'
import { type ErrorContext, errorMessagesFor, type LlmErrorMessages } from './llm-error-messages.ts'
import type { ProviderState } from './provider-state.ts'
import { openLanguageModel, type ProviderAddress, providerDisplayName } from './providers.ts'
import { redactKeys } from './redact-keys.ts'
import { maxAttempts, maxRetryWaitMs, type RetryClock, retryDelay } from './retry-policy.ts'
import { type OutgoingRequest, type ProviderResponse, sendRequest } from './send-request.ts'

/** Whom we ask, and what with. */
export interface ProviderConnection extends ProviderAddress {
  api_key: string
  state: ProviderState
  fetch: typeof globalThis.fetch
  clock: RetryClock
  log: Pick<Log, 'warn'> | null
  /** The longest an answer may take, in ms; waiting for a place does not count. */
  timeoutMs: number
  /** Lets so many ask at once, and the others wait. */
  limiter: ConcurrencyLimiter
}

/** Runs something once there is a place. @throws the signal's reason when it is stopped before */
export type ConcurrencyLimiter = <T>(run: () => Promise<T>, signal: AbortSignal) => Promise<T>

/** Counts what was asked, also when there is no answer in the end. */
export interface AttemptCount {
  tries: number
  /** Since when (ms since 1970) the provider has had a question that it has neither answered nor refused; null: it has none. */
  pendingSince: number | null
}

/**
 * One answer from the provider, whatever it says. Asks again after what will pass, as long as the waits are short.
 * @throws {LlmError} of the provider or the settings; the signal's reason when it was stopped
 */
export async function requestWithRetries(
  provider: ProviderConnection,
  model: string,
  send: Omit<OutgoingRequest, 'schemaInWords'>,
  leave: Permit,
  count: AttemptCount,
  signal: AbortSignal,
): Promise<ProviderResponse> {
  const { state, clock, api_key } = provider
  const asked: ErrorContext = {
    providerName: providerDisplayName(provider),
    model,
    ...provider,
    hasKey: api_key !== '',
  }
  const words = errorMessagesFor(send.request.purpose)
  // Whoever tries the connection is told at once, and tries again by hand.
  const most = send.request.purpose === 'test' ? 1 : maxAttempts
  const opened = await openLanguageModel(provider, api_key, model, provider.fetch)
  const pictures = send.request.parts.some((part) => 'picture' in part)
  // Whoever tries the connection wants to know what works now, not what was found earlier.
  if (send.request.purpose === 'test') state.modelsWithoutSchema.delete(model)
  // How often it failed; a schema refused is no failure.
  let failed = 0
  for (;;) {
    const schemaInWords = state.modelsWithoutSchema.has(model)
    // Another request, hence another key: a provider would refuse the same key with other words.
    const idempotencyKey = schemaInWords ? `${send.idempotencyKey}-words` : send.idempotencyKey
    count.tries++
    let failure: ProviderFailure
    try {
      const sent = await provider.limiter(() => {
        // It may have stopped answering while we stood at the door.
        leave.throwIfOpen()
        count.pendingSince = clock.now()
        return runWithTimeout(
          provider,
          () => words.timeout(asked, provider.timeoutMs),
          signal,
          (inside) => sendRequest(opened, { ...send, schemaInWords, idempotencyKey }, inside),
        )
      }, signal)
      count.pendingSince = null
      leave.succeeded()
      return sent
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof LlmError) {
        if (error.code === 'timeout') leave.failed()
        throw error
      }
      const read = classifyProviderError(error, clock.now(), pictures)
      if (!read) throw error
      count.pendingSince = null
      failure = read
    }
    if (failure.unsupported === 'schema' && !schemaInWords) {
      state.modelsWithoutSchema.add(model)
      continue
    }
    failed++
    const delay = retryDelay(failed, failure.retryAfterMs, clock.random())
    provider.log?.warn(
      { model, code: failure.code, status: failure.status, tries: count.tries },
      'a model did not answer',
    )
    if (!failure.retryable || failed === most || (failure.retryAfterMs ?? 0) > maxRetryWaitMs) {
      throw finalError(failure, words, asked, api_key, leave)
    }
    await clock.sleep(delay, signal)
    leave.throwIfOpen()
  }
}

/** @throws {LlmError} `timeout` when it takes longer than an answer may */
async function runWithTimeout<T>(
  { timeoutMs }: ProviderConnection,
  words: () => string,
  signal: AbortSignal,
  run: (inside: AbortSignal) => Promise<T>,
): Promise<T> {
  const timed = timeoutSignal(timeoutMs, signal)
  try {
    return await run(timed.signal)
  } catch (error) {
    if (timed.ranOut()) throw new LlmError('timeout', words())
    throw error
  } finally {
    timed.end()
  }
}

function finalError(
  failure: ProviderFailure,
  words: LlmErrorMessages,
  asked: ErrorContext,
  apiKey: string,
  leave: Permit,
): LlmError {
  const said = failure.providerMessage && redactKeys(failure.providerMessage, apiKey)
  const { retryAfterMs } = failure
  // The SDK's error is not handed on as the cause: it holds the request, and with it the student's words and the key.
  const trouble = new LlmError(failure.code, words.failure(failure, asked, said), {
    ...(retryAfterMs !== null && { retryAfterMs }),
  })
  if (trouble.scope !== 'provider') leave.succeeded()
  else leave.failed(retryAfterMs !== null && retryAfterMs > maxRetryWaitMs ? retryAfterMs : undefined)
  return trouble
}

/** A signal that follows `signal`, or fires after `ms`. Unlike `AbortSignal.any`, `end` leaves nothing hanging on a run's signal. */
function timeoutSignal(ms: number, signal: AbortSignal) {
  const controller = new AbortController()
  let ranOut = false
  const follow = () => controller.abort(signal.reason)
  const timer = setTimeout(() => {
    ranOut = true
    controller.abort(new DOMException('The time is up', 'TimeoutError'))
  }, ms)
  signal.addEventListener('abort', follow, { once: true })
  if (signal.aborted) follow()
  return {
    signal: controller.signal,
    ranOut: () => ranOut,
    end() {
      clearTimeout(timer)
      signal.removeEventListener('abort', follow)
    },
  }
}
