import { randomUUID } from 'node:crypto'
import type { LlmPrice, LlmSettings } from '@assay/shared/llm-settings.ts'
import type { Log } from '../../lib/log.ts'
import { type LlmCallLedger, type LlmCallResult, type LlmCallStart, maxRawLength } from './llm-call-ledger.ts'
import { LlmError } from './llm-error.ts'
import { errorMessagesFor } from './llm-error-messages.ts'
import type { LlmClient, LlmRequest } from './llm-request.ts'
import { parseResponse } from './parse-response.ts'
import type { ProviderStates, StoredResponse } from './provider-state.ts'
import { providerDisplayName } from './providers.ts'
import { redactApiKey } from './redact-keys.ts'
import { attemptIdentity, type CallContext, hashInputs, isDeduplicated, requestIdentity } from './request-identity.ts'
import {
  type AttemptCount,
  type ConcurrencyLimiter,
  type ProviderConnection,
  requestWithRetries,
} from './request-with-retries.ts'
import { maxAttempts, type RetryClock, retryDelay, systemRetryClock } from './retry-policy.ts'
import type { InvalidResponse } from './send-request.ts'
import { singleFlight } from './single-flight.ts'
import { abandonedTokens, costInDollars, maxTokens, type TokenCounts } from './tokens.ts'

export interface LlmClientOptions {
  settings: Pick<LlmSettings, 'provider' | 'model' | 'base_url' | 'price'> &
    Partial<Pick<LlmSettings, 'second_model' | 'second_price'>>
  /** Empty where the server wants none. */
  api_key: string
  /** The run and the submission, or the making, asked about. Without any nothing is found again: the same question is a new one. */
  context: CallContext
  ledger: LlmCallLedger
  /** Shared by everything in the process that asks. */
  providerStates: ProviderStates
  log?: Pick<Log, 'warn'>
  /** The longest an answer may take, in ms. */
  timeoutMs?: number
  fetch?: typeof globalThis.fetch
  /** By default everybody comes in at once. */
  limiter?: ConcurrencyLimiter
  clock?: RetryClock
}

/** Asks one model about one thing; see `Ask`. */
export function createLlmClient(options: LlmClientOptions): LlmClient {
  const { settings, api_key, ledger, clock = systemRetryClock } = options
  const line = options.providerStates.stateOf(settings, api_key)
  const provider: ProviderConnection = {
    provider: settings.provider,
    base_url: settings.base_url,
    api_key,
    state: line,
    clock,
    fetch: options.fetch ?? globalThis.fetch,
    limiter: options.limiter ?? ((run) => run()),
    log: options.log ?? null,
    timeoutMs: options.timeoutMs ?? 120_000,
  }

  return async (question, signal) => {
    const model = question.model ?? settings.model
    const inputs = hashInputs(question)
    const known = requestIdentity(question, inputs, { provider: settings.provider, model }, options.context)
    const identity = isDeduplicated(options.context) ? known : uniqueIdentity(known)
    const begun: PreparedCall = {
      identity,
      purpose: question.purpose,
      provider: settings.provider,
      model,
      prompt_version: question.prompt_version,
      schema_name: question.schema_name,
      inputs,
    }
    const { call_id, raw } = await singleFlight(line.inFlight, identity, signal, (signal) =>
      findOrRequestAnswer(question, begun, signal),
    )
    const judged = parseResponse(question, raw)
    // Only when two who asked the same at once check differently.
    if ('complaint' in judged) throw invalidResponseError(question, model, judged.complaint, raw)
    return { value: judged.value, call_id, model: `${settings.provider}/${model}` }
  }

  /**
   * Goes through the answers already paid for, then asks. A wrong answer is followed by one more question that says what was wrong;
   * after two wrong ones the next asker begins anew, under a new identity, as the provider would only repeat itself under the old one.
   */
  async function findOrRequestAnswer<T>(
    question: LlmRequest<T>,
    call: PreparedCall,
    signal: AbortSignal,
  ): Promise<StoredResponse> {
    let wrong: InvalidResponse | null = null
    let n = 1
    for (; ; n++) {
      const before = await ledger.find(attemptIdentity(call.identity, n))
      if (!before) break
      const judged = before.outcome === 'failed' ? null : parseResponse(question, before.raw)
      if (judged && 'value' in judged) return before
      wrong = judged && !wrong ? { raw: before.raw, complaint: judged.complaint } : null
    }
    for (; ; n++) {
      const answer = await makeCall(question, { ...call, identity: attemptIdentity(call.identity, n) }, wrong, signal)
      if (!answer.complaint) return answer
      if (wrong) throw invalidResponseError(question, call.model, answer.complaint, answer.raw)
      wrong = { raw: answer.raw, complaint: answer.complaint }
    }
  }

  /** One line in the ledger, and an answer that is paid for; its `complaint` is empty when the answer is right. */
  async function makeCall<T>(
    question: LlmRequest<T>,
    call: PreparedCall,
    wrong: InvalidResponse | null,
    signal: AbortSignal,
  ): Promise<StoredResponse & { complaint: string }> {
    signal.throwIfAborted()
    const leave = line.circuitBreaker.acquire(providerDisplayName(provider), question.purpose === 'test')
    const price = priceOf(call.model)
    // What goes along to say what was wrong is paid for like the rest.
    const most = maxTokens(question, wrong)
    const end: LlmCallResult & AttemptCount = {
      outcome: 'failed',
      trouble: null,
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
    let call_id: number
    try {
      call_id = await ledger.begin({ ...call, most_dollars: costInDollars(most, price) })
    } catch (error) {
      leave.cancelled()
      throw error
    }
    const started = clock.now()
    let complaint = ''
    try {
      const send = { request: question, previous: wrong, idempotencyKey: call.identity }
      const sent = await requestWithRetries(provider, call.model, send, leave, end, signal)
      const { input_tokens, output_tokens } = sent
      const raw = redactApiKey(sent.text, api_key).slice(0, maxRawLength)
      Object.assign(end, {
        paid: true,
        raw,
        input_tokens,
        output_tokens,
        dollars: costInDollars(sent, price),
      })
      const words = errorMessagesFor(question.purpose)
      if (sent.finish === 'refused') throw new LlmError('refused', words.refused(call.model))
      if (sent.finish === 'cut_off') throw new LlmError('cut_off', words.cutOff(call.model))
      const judged = parseResponse(question, raw)
      if ('complaint' in judged) complaint = judged.complaint
      end.outcome = complaint ? 'wrong' : 'answered'
    } catch (error) {
      leave.cancelled()
      if (error instanceof LlmError) end.trouble = error.code
      throw error
    } finally {
      const { pendingSince, ...result } = end
      result.ms = clock.now() - started
      if (pendingSince !== null)
        Object.assign(result, abandonedUsage(most, clock.now() - pendingSince, result.trouble, price))
      await recordResult(call_id, result)
    }
    return { call_id, raw: end.raw, complaint }
  }

  /** Each model's own; null where nobody has said what its tokens cost. */
  function priceOf(model: string): LlmPrice | null {
    if (model === settings.model) return settings.price
    return model === settings.second_model ? (settings.second_price ?? null) : null
  }

  /** A database that is away for a moment must not lose an answer that is paid for. Goes on where the asker has been stopped. */
  async function recordResult(call_id: number, end: LlmCallResult): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return await ledger.finish(call_id, end)
      } catch (error) {
        if (tries === maxAttempts) throw error
        await clock.sleep(retryDelay(tries, null, 0), new AbortController().signal)
      }
    }
  }

  /** `raw` is without the key already. */
  function invalidResponseError(
    { purpose }: Pick<LlmRequest<unknown>, 'purpose'>,
    model: string,
    complaint: string,
    raw: string,
  ): LlmError {
    const words = errorMessagesFor(purpose)
    return new LlmError('bad_answer', words.invalidResponse(model, redactApiKey(complaint, api_key), raw))
  }
}

/** A call before it is known what it may cost: that depends on what goes along with the question. */
type PreparedCall = Omit<LlmCallStart, 'most_dollars'>

/** Nobody knows what the provider charges for an answer that nobody waited for: it is booked, and said to be a guess. */
function abandonedUsage(most: TokenCounts, ms: number, trouble: LlmCallResult['trouble'], price: LlmPrice | null) {
  const tokens = abandonedTokens(most, ms, trouble === 'timeout')
  return { ...tokens, dollars: costInDollars(tokens, price), estimated: true }
}

/** Outside a run and a making nothing says whether the same words are the same question, so they are not. */
function uniqueIdentity(identity: string): string {
  return attemptIdentity(`${identity} ${randomUUID()}`, 2)
}
