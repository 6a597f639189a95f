import { BYTES_PER_TOKEN, PICTURE_TOKENS, type TokenCounts } from '../llm/tokens.ts'
import { TRANSCRIPTION_SYSTEM_PROMPT } from './transcribe-page.ts'

/** The schema and message overhead. */
const OVERHEAD_TOKENS = 200
/** Per line of handwriting with its fields, and around all of them. */
const TOKENS_PER_LINE = 24
const TOKENS_PER_RESPONSE = 20
const DEFAULT_LINES = 25

/** `lines`: of OCR or the file's text; null when unknown. */
export function estimatePageTokens(lines: number | null): TokenCounts {
  return {
    input_tokens: Math.round(
      OVERHEAD_TOKENS + Buffer.byteLength(TRANSCRIPTION_SYSTEM_PROMPT) / BYTES_PER_TOKEN + PICTURE_TOKENS,
    ),
    output_tokens: TOKENS_PER_RESPONSE + TOKENS_PER_LINE * (lines || DEFAULT_LINES),
  }
}
