import type { LlmProvider } from '@assay/shared/llm-settings.ts'
import type { LlmErrorCode } from './llm-error.ts'

/** One thing that was said to the model, without the thing itself. */
export interface InputHash {
  kind: 'system' | 'text' | 'picture'
  /** Hexadecimal. */
  sha256: string
  bytes: number
}

/** A call as it is about to be made. */
export interface LlmCallStart {
  /**
   * sha256 in hexadecimal of the run, the submission (or the making of a rubric), the purpose, the provider, the model, the prompt's version, the system's words,
   * the parts, the schema's name and how often this was asked before. Not unique: a call that failed unpaid may be made again.
   */
  identity: string
  purpose: string
  provider: LlmProvider
  model: string
  prompt_version: string
  schema_name: string
  inputs: InputHash[]
  /** The most it should cost, in US dollars; null when nobody has said what a token costs. */
  most_dollars: number | null
}

/** How a call ended. */
export interface LlmCallResult {
  /** `wrong`: answered against the schema or its check. `failed`: no answer, or one that is none (refused, cut off). */
  outcome: 'answered' | 'wrong' | 'failed'
  /** Why it failed; null for the others. */
  trouble: LlmErrorCode | null
  /** Whether there was an answer, which the provider charges for whether or not we can use it. */
  paid: boolean
  /** What the model wrote, as it came, up to `maxRawLength` characters. Never holds a key. */
  raw: string
  input_tokens: number
  output_tokens: number
  /** US dollars; null when nobody has said what a token costs. */
  dollars: number | null
  /** Given up while the model was at work: tokens and dollars are the most it may have taken, as the provider may charge for it. */
  estimated: boolean
  /** From asking to the end, with the waits between tries. */
  ms: number
  /** How often the provider was asked over HTTP. */
  tries: number
}

/** A paid answer from before. */
interface FinishedLlmCall {
  call_id: number
  outcome: LlmCallResult['outcome']
  raw: string
}

/** Characters of a raw answer that are kept. Longer than any answer to be used again. */
export const maxRawLength = 262_144

/**
 * The book of calls to models, made for one thing that is asked about (course, assignment, run, submission): whoever makes it adds those.
 * Every answer has its row, so that what was paid for is neither lost nor paid for again.
 */
export interface LlmCallLedger {
  /** The last finished call of that identity that was `paid`; null when there is none. */
  find(identity: string): Promise<FinishedLlmCall | null>
  /**
   * Writes down that a call is about to be made, and says its `call_id`. Calls that have begun and not ended count with `most_dollars`
   * towards the budget, so that many at once do not overrun it.
   * @throws {LlmError} `budget` when what is left of the month's budget does not cover it; nothing is written then
   */
  begin(call: LlmCallStart): Promise<number>
  /** Writes down how it ended. */
  finish(callId: number, end: LlmCallResult): Promise<void>
}
