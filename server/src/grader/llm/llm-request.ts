import type { LlmPrice } from '@assay/shared/llm/llm-settings.ts'
import { capitalized } from '@assay/shared/rules/format-list.ts'
import { z } from 'zod'

export type LlmMessagePart =
  | { text: string }
  | { picture: { bytes: Uint8Array; media_type: 'image/png' | 'image/jpeg' } }

/** Sent as it is: names are masked already. */
export interface LlmRequest<T> {
  purpose: string
  /** Raise it when the fixed text changes. Stored for the audit. */
  prompt_version: string
  system: string
  parts: LlmMessagePart[]
  /** Letters, digits, `_`. */
  schema_name: string
  schema: z.ZodType<T>
  /** What is wrong with a response that fits the schema, for the LLM; or null. */
  check?: (value: T) => string | null
  most_tokens: number
  /** Of the same provider, for a second opinion. */
  model?: string
  /** One attempt, past an open circuit, with messages about setting it up. */
  is_connection_test?: true
}

/** For `check`, of a response that must have each id once. */
export function idComplaints(what: string, asked: readonly string[], given: readonly string[]): string[] {
  const strange = given.filter((id) => !asked.includes(id))
  const missing = asked.filter((id) => !given.includes(id))
  const twice = asked.filter((id) => given.filter((one) => one === id).length > 1)
  const named = capitalized(what)
  return [
    ...(strange.length > 0 ? [`There is no ${what} ${quotedIds(strange)}.`] : []),
    ...(missing.length > 0 ? [`${named} ${quotedIds(missing)} is missing.`] : []),
    ...(twice.length > 0 ? [`${named} ${quotedIds(twice)} is there more than once.`] : []),
  ]
}

export const quotedIds = (ids: readonly string[]): string =>
  [...new Set(ids)].map((id) => `“${id.slice(0, 60)}”`).join(', ')

interface LlmResponse<T> {
  value: T
  /** In the ledger: how the audit finds the raw response. */
  call_id: number
  model: string // `openai/gpt-…`
}

export interface InvalidResponse {
  raw: string
  complaint: string
}

/**
 * A run's request is paid once: after a crash its response comes from the ledger. @throws {LlmError} without a
 * response; the signal's reason when stopped
 */
export type LlmClient = <T>(request: LlmRequest<T>, signal?: AbortSignal) => Promise<LlmResponse<T>>

export interface TokenCounts {
  input_tokens: number
  output_tokens: number
}

/** English has about four, other languages fewer; low, as budgets reserve the tokens. */
const minBytesPerToken = 3
/** By the most expensive provider's rules: a page, or half a page 1,400 pixels wide. */
export const PICTURE_TOKENS = 1_500
/** English has about four letters a token, other scripts fewer; rather too high. */
export const BYTES_PER_TOKEN = 3.6
const COMPLAINT_OVERHEAD_TOKENS = 50

export const estimateTextTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / minBytesPerToken)

/** With the invalid response to correct, and the longest allowed response. */
export function maxTokens(
  request: Pick<LlmRequest<unknown>, 'system' | 'parts' | 'schema' | 'most_tokens'>,
  previous: InvalidResponse | null = null,
): TokenCounts {
  const schema = JSON.stringify(z.toJSONSchema(request.schema, { target: 'draft-7', io: 'input' }))
  let input = estimateTextTokens(request.system) + estimateTextTokens(schema)
  for (const part of request.parts) input += 'text' in part ? estimateTextTokens(part.text) : PICTURE_TOKENS
  if (previous)
    input += estimateTextTokens(previous.raw) + estimateTextTokens(previous.complaint) + COMPLAINT_OVERHEAD_TOKENS
  return { input_tokens: input, output_tokens: request.most_tokens }
}

const OUTPUT_TOKENS_PER_SECOND = 200

/** After a timeout all it could, else what can be written in `ms`; rather too high, as budgets are reserved by it. */
export function abandonedTokens(max: TokenCounts, ms: number, timedOut: boolean): TokenCounts {
  if (timedOut) return max
  const written = Math.ceil((Math.max(0, ms) / 1000) * OUTPUT_TOKENS_PER_SECOND)
  return { ...max, output_tokens: Math.min(max.output_tokens, written) }
}

/** US dollars; null without a price. */
export function costInDollars(tokens: TokenCounts, price: LlmPrice | null): number | null {
  return price && (tokens.input_tokens * price.input + tokens.output_tokens * price.output) / 1_000_000
}
