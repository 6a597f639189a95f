import type { LlmPrice } from '@assay/shared/llm/llm-settings.ts'
import { z } from 'zod'
import type { InvalidResponse, LlmRequest } from './llm-request.ts'

export interface TokenCounts {
  input_tokens: number
  output_tokens: number
}

/** About four in English, fewer elsewhere; rather too many tokens than too few, as budgets are reserved by them. */
const minBytesPerToken = 3
/** By the most expensive provider's rules: a page, or half a page 1,400 pixels wide. */
export const PICTURE_TOKENS = 1_500
/** English has about four letters a token, other scripts fewer; rather too high. */
export const BYTES_PER_TOKEN = 3.6
const COMPLAINT_OVERHEAD_TOKENS = 50

export function estimateTextTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / minBytesPerToken)
}

/** Prompt, estimated schema, the invalid response to correct, and the longest allowed response. */
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

/** More than models write. */
const OUTPUT_TOKENS_PER_SECOND = 200

/** After a timeout all it could, else what can be written in `ms`. Rather too high: budgets are reserved by it. */
export function abandonedTokens(max: TokenCounts, ms: number, timedOut: boolean): TokenCounts {
  if (timedOut) return max
  const written = Math.ceil((Math.max(0, ms) / 1000) * OUTPUT_TOKENS_PER_SECOND)
  return { ...max, output_tokens: Math.min(max.output_tokens, written) }
}

/** US dollars; null without a price. */
export function costInDollars(tokens: TokenCounts, price: LlmPrice | null): number | null {
  return price && (tokens.input_tokens * price.input + tokens.output_tokens * price.output) / 1_000_000
}
