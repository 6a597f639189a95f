/** Everyone for a while, everyone until settings change, the budget, or one request. */
type LlmErrorScope = 'provider' | 'settings' | 'budget' | 'request'

const scopes = {
  unreachable: 'provider',
  timeout: 'provider',
  rate_limited: 'provider',
  overloaded: 'provider', // 5xx
  waiting: 'provider', // the circuit is open
  key_refused: 'settings',
  unknown_model: 'settings',
  wrong_address: 'settings', // no LLM's API
  cannot: 'settings', // pictures, structured output
  bad_request: 'settings',
  out_of_credit: 'settings',
  budget: 'budget',
  bad_answer: 'request', // invalid twice
  refused: 'request',
  cut_off: 'request', // the response is too long
  too_long: 'request', // the request is too long
} satisfies Record<string, LlmErrorScope>

export type LlmErrorCode = keyof typeof scopes

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
