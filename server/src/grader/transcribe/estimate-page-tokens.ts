import { BYTES_PER_TOKEN, PICTURE_TOKENS, type TokenCounts } from '../llm/tokens.ts'
import { TRANSCRIPTION_SYSTEM_PROMPT } from './transcribe-page.ts'

/** The schema, and what is between messages. */
const OVERHEAD_TOKENS = 200
/** A line of handwriting with what is said of it, and what is around all of them. */
const TOKENS_PER_LINE = 24
const TOKENS_PER_RESPONSE = 20
/** For a page not read yet: printed text and answers. */
const DEFAULT_LINES = 25

/** Tokens for reading one page. `lines`: how many OCR or the file's text has; null when unknown. */
export function estimatePageTokens(lines: number | null): TokenCounts {
  return {
    input_tokens: Math.round(
      OVERHEAD_TOKENS + Buffer.byteLength(TRANSCRIPTION_SYSTEM_PROMPT) / BYTES_PER_TOKEN + PICTURE_TOKENS,
    ),
    output_tokens: TOKENS_PER_RESPONSE + TOKENS_PER_LINE * (lines || DEFAULT_LINES),
  }
}
