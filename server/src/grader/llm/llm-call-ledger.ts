import type { LlmProvider } from '@assay/shared/llm/llm-settings.ts'
import type { LlmErrorCode } from './errors/llm-error.ts'

export interface InputHash {
  kind: 'system' | 'text' | 'picture'
  sha256: string
  bytes: number
}

export interface LlmCallStart {
  /** sha256 (hex) of request, purpose and attempt; not unique, as an unpaid failure may be repeated. */
  identity: string
  purpose: string
  provider: LlmProvider
  model: string
  prompt_version: string
  schema_name: string
  inputs: InputHash[]
  /** US dollars; null without a price. */
  most_dollars: number | null
}

export interface LlmCallResult {
  /** `wrong`: breaks the schema or its check. `failed`: no usable response (refused, cut off). */
  outcome: 'answered' | 'wrong' | 'failed'
  error_code: LlmErrorCode | null
  /** The provider charges for any response, usable or not. */
  paid: boolean
  /** Up to `maxRawLength` characters, without keys. */
  raw: string
  input_tokens: number
  output_tokens: number
  /** US dollars; null without a price. */
  dollars: number | null
  /** Abandoned while the LLM was at work: tokens and dollars are maxima. */
  estimated: boolean
  /** Includes waits between attempts. */
  ms: number
  /** HTTP requests. */
  tries: number
}

export const maxRawLength = 262_144

/** For one context (course, assignment, run, submission), so that no paid response is lost or paid for again. */
export interface LlmCallLedger {
  /** The last finished and `paid` one; null when there is none. */
  find(identity: string): Promise<(Pick<LlmCallResult, 'outcome' | 'raw'> & { call_id: number }) | null>
  /** Reserves `most_dollars`. @throws {LlmError} `budget` when it would be exceeded; nothing is recorded then */
  begin(call: LlmCallStart): Promise<number>
  finish(callId: number, end: LlmCallResult): Promise<void>
}
