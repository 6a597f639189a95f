import type { LlmPrice } from '@assay/shared/llm-settings.ts'
import { z } from 'zod'
import type { LlmRequest } from './llm-request.ts'
import type { InvalidResponse } from './send-request.ts'

export interface TokenCounts {
  input_tokens: number
  output_tokens: number
}

/**
 * English has about four bytes a token, and Chinese, Arabic or Greek up to one token a letter of two or three bytes. Rather too many
 * tokens than too few: money is kept back by them.
 */
const minBytesPerToken = 3
/** A page's picture, or one of half a page 1,400 pixels wide, by the dearest of the providers' rules. */
export const PICTURE_TOKENS = 1_500
/** For estimates: English has about four letters a token, other scripts fewer; bytes even that out. Rather too much than too little. */
export const BYTES_PER_TOKEN = 3.6
/** The words around a complaint. */
const COMPLAINT_OVERHEAD_TOKENS = 50

export function estimateTextTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / minBytesPerToken)
}

/**
 * What a question takes at the most: its own words and its schema (guessed), the answer before and what was wrong with it where it asks
 * for a better one, and the longest answer it allows.
 */
export function maxTokens(
  question: Pick<LlmRequest<unknown>, 'system' | 'parts' | 'schema' | 'most_tokens'>,
  wrong: InvalidResponse | null = null,
): TokenCounts {
  const schema = JSON.stringify(z.toJSONSchema(question.schema, { target: 'draft-7', io: 'input' }))
  let input = estimateTextTokens(question.system) + estimateTextTokens(schema)
  for (const part of question.parts) input += 'text' in part ? estimateTextTokens(part.text) : PICTURE_TOKENS
  if (wrong) input += estimateTextTokens(wrong.raw) + estimateTextTokens(wrong.complaint) + COMPLAINT_OVERHEAD_TOKENS
  return { input_tokens: input, output_tokens: question.most_tokens }
}

/** Faster than models write, in tokens a second. */
const OUTPUT_TOKENS_PER_SECOND = 200

/**
 * What may have to be paid for an answer that nobody waited for to the end: all it could be where it was given up for being late, and as
 * much as can have been written by then where the asker went away. Rather too much: a budget is held by it.
 */
export function abandonedTokens(most: TokenCounts, ms: number, late: boolean): TokenCounts {
  if (late) return most
  const written = Math.ceil((Math.max(0, ms) / 1000) * OUTPUT_TOKENS_PER_SECOND)
  return { ...most, output_tokens: Math.min(most.output_tokens, written) }
}

/** US dollars; null when nobody has said what a token costs. */
export function costInDollars(tokens: TokenCounts, price: LlmPrice | null): number | null {
  return price && (tokens.input_tokens * price.input + tokens.output_tokens * price.output) / 1_000_000
}
