export type LlmErrorCode =
  | 'unreachable'
  | 'timeout'
  | 'rate_limited'
  | 'overloaded' // 5xx
  | 'waiting' // the circuit is open
  | 'key_refused'
  | 'unknown_model'
  | 'wrong_address' // no LLM's API
  | 'cannot' // pictures, structured output
  | 'bad_request'
  | 'out_of_credit'
  | 'budget'
  | 'bad_answer' // invalid twice
  | 'refused'
  | 'cut_off' // the response is too long
  | 'too_long' // the request is too long

/** Everyone for a while, everyone until settings change, the budget, or one request. */
type LlmErrorScope = 'provider' | 'settings' | 'budget' | 'request'

const scopes: Record<LlmErrorCode, LlmErrorScope> = {
  unreachable: 'provider',
  timeout: 'provider',
  rate_limited: 'provider',
  overloaded: 'provider',
  waiting: 'provider',
  key_refused: 'settings',
  unknown_model: 'settings',
  wrong_address: 'settings',
  cannot: 'settings',
  bad_request: 'settings',
  out_of_credit: 'settings',
  budget: 'budget',
  bad_answer: 'request',
  refused: 'request',
  cut_off: 'request',
  too_long: 'request',
}

/** The message tells a person what to do; never a key or a whole response. */
export class LlmError extends Error {
  override name = 'LlmError'
  readonly code: LlmErrorCode
  /** In ms from now; null when unknown. */
  readonly retryAfterMs: number | null
  constructor(code: LlmErrorCode, message: string, options: ErrorOptions & { retryAfterMs?: number } = {}) {
    super(message, options)
    this.code = code
    this.retryAfterMs = options.retryAfterMs ?? null
  }
  get scope(): LlmErrorScope {
    return scopes[this.code]
  }
}
