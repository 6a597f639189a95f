/**
 * Why there is no answer.
 * Of the provider, which will pass or be mended, and holds up everyone: `unreachable`, `timeout`, `rate_limited`, `overloaded`
 * (5xx), `waiting` (several failed in a row, so that for a while nobody asks).
 * Of the settings, which somebody must change: `key_refused`, `unknown_model`, `wrong_address` (what is there is no model's API),
 * `cannot` (pictures or structured answers, say), `bad_request`, `out_of_credit`.
 * Of the money: `budget`.
 * Of this paper alone: `bad_answer` (twice against the schema), `refused` (the model will not), `cut_off` (longer than it may be),
 * `too_long` (more than the model takes).
 */
export type LlmErrorCode =
  | 'unreachable'
  | 'timeout'
  | 'rate_limited'
  | 'overloaded'
  | 'waiting'
  | 'key_refused'
  | 'unknown_model'
  | 'wrong_address'
  | 'cannot'
  | 'bad_request'
  | 'out_of_credit'
  | 'budget'
  | 'bad_answer'
  | 'refused'
  | 'cut_off'
  | 'too_long'

/** Whom trouble concerns: everyone for a while, everyone until settings change, the budget, or one paper. */
export type LlmErrorScope = 'provider' | 'settings' | 'budget' | 'paper'

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
  bad_answer: 'paper',
  refused: 'paper',
  cut_off: 'paper',
  too_long: 'paper',
}

/** No answer from a model. The message is for a teacher: what happened and what to do; never a key, never a whole reply. */
export class LlmError extends Error {
  override name = 'ModelTrouble'
  readonly code: LlmErrorCode
  /** When it is worth asking again, in ms from now; null when nobody knows. */
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
