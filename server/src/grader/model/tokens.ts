import type { ModelPrice } from '@assay/shared/model-settings.ts'
import { z } from 'zod'
import type { ModelQuestion } from './ask.ts'

export interface Tokens {
  input_tokens: number
  output_tokens: number
}

/**
 * English has about four bytes a token, and Chinese, Arabic or Greek up to one token a letter of two or three bytes. Rather too many
 * tokens than too few: money is kept back by them.
 */
const bytesAToken = 3
/** A page's picture is some 1,500 tokens with every provider. */
const tokensAPicture = 1_500

export function guessTokensOf(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / bytesAToken)
}

/** What a question takes at the most: its own words and its schema (guessed), and the longest answer it allows. */
export function mostTokens(
  question: Pick<ModelQuestion<unknown>, 'system' | 'parts' | 'schema' | 'most_tokens'>,
): Tokens {
  const schema = JSON.stringify(z.toJSONSchema(question.schema, { target: 'draft-7', io: 'input' }))
  let input = guessTokensOf(question.system) + guessTokensOf(schema)
  for (const part of question.parts) input += 'text' in part ? guessTokensOf(part.text) : tokensAPicture
  return { input_tokens: input, output_tokens: question.most_tokens }
}

/** US dollars; null when nobody has said what a token costs. */
export function dollarsFor(tokens: Tokens, price: ModelPrice | null): number | null {
  return price && (tokens.input_tokens * price.input + tokens.output_tokens * price.output) / 1_000_000
}
