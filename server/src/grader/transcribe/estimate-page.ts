import { BYTES_A_TOKEN, PICTURE_TOKENS, type Tokens } from '../model/tokens.ts'
import { SYSTEM } from './transcribe-page.ts'

/** The schema, and what is between messages. */
const AROUND = 200
/** A line of handwriting with what is said of it, and what is around all of them. */
const A_LINE = 24
const AN_ANSWER = 20
/** Of a page nobody has read yet: print and answers. */
const LINES = 25

/** What having a model read one page takes. `lines`: how many OCR or the file's text has of it; null where nobody has looked. */
export function estimatePage(lines: number | null): Tokens {
  return {
    input_tokens: Math.round(AROUND + Buffer.byteLength(SYSTEM) / BYTES_A_TOKEN + PICTURE_TOKENS),
    output_tokens: AN_ANSWER + A_LINE * (lines || LINES),
  }
}
