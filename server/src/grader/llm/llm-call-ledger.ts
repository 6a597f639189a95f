import type { LlmProvider } from '@assay/shared/llm/llm-settings.ts'
import type { LlmErrorCode } from './errors/llm-error.ts'

/** The hash of one part of a prompt. */
export interface InputHash {
  kind: 'system' | 'text' | 'picture'
  /** Hexadecimal. */
  sha256: string
  bytes: number
}

/** A call before it is made. */
export interface LlmCallStart {
  /**
   * sha256 in hexadecimal of the run, the submission (or the generation of a rubric), the purpose, the provider, the model, the prompt's version, the system's words,
   * the parts, the schema's name and the attempt's number. Not unique: a call that failed unpaid may be made again.
   */
  identity: string
  purpose: string
  provider: LlmProvider
  model: string
  prompt_version: string
  schema_name: string
  inputs: InputHash[]
  /** Its maximum cost in US dollars; null without a price. */
  most_dollars: number | null
}

/** How a call ended. */
export interface LlmCallResult {
  /** `wrong`: answered against the schema or its check. `failed`: no answer, or one that is none (refused, cut off). */
  outcome: 'answered' | 'wrong' | 'failed'
  /** Why it failed; null for the others. */
  error_code: LlmErrorCode | null
  /** Whether there was an answer, which the provider charges for whether or not we can use it. */
  paid: boolean
  /** The raw response, up to `maxRawLength` characters. Never contains a key. */
  raw: string
  input_tokens: number
  output_tokens: number
  /** US dollars; null without a price. */
  dollars: number | null
  /** Abandoned while the LLM was at work: tokens and dollars are the maximum, as the provider may charge for it. */
  estimated: boolean
  /** Total duration, with the waits between attempts. */
  ms: number
  /** Number of HTTP requests. */
  tries: number
}

/** A paid answer from before. */
interface FinishedLlmCall {
  call_id: number
  outcome: LlmCallResult['outcome']
  raw: string
}

/** Characters stored of a raw response. Longer than any usable response. */
export const maxRawLength = 262_144

/**
 * The record of LLM calls, opened for one context (course, assignment, run, submission). Every response has its row, so that what was
 * paid for is neither lost nor paid for again.
 */
export interface LlmCallLedger {
  /** The last finished call of that identity that was `paid`; null when there is none. */
  find(identity: string): Promise<FinishedLlmCall | null>
  /**
   * Writes down that a call is about to be made, and says its `call_id`. Calls that have begun and not ended count with `most_dollars`
   * towards the budget, so that many at once do not overrun it.
   * @throws {LlmError} `budget` when the rest of the month's budget does not cover it; nothing is recorded then
   */
  begin(call: LlmCallStart): Promise<number>
  /** Records how it ended. */
  finish(callId: number, end: LlmCallResult): Promise<void>
}
