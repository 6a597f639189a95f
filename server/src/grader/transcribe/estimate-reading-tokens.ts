import type { Question } from '@assay/shared/rubrics.ts'
import { BYTES_PER_TOKEN, PICTURE_TOKENS, type TokenCounts } from '../llm/tokens.ts'
import { questionsText, READING_SYSTEM_PROMPT, requestsFor } from './read-answers.ts'

/** The schema and message overhead. */
const OVERHEAD_TOKENS = 300
/** Output for an answer's form, and a line with its fields. */
const TOKENS_PER_QUESTION = 25
const TOKENS_PER_LINE = 30
const LINES_PER_QUESTION = 1.5
const DEFAULT_QUESTION_TOKENS = { input: 600, count: 10 }

export function estimateReadingTokens(pages: number, questions: readonly Question[] | null): TokenCounts {
  const asked = questions
    ? Buffer.byteLength(questionsText(questions)) / BYTES_PER_TOKEN
    : DEFAULT_QUESTION_TOKENS.input
  const count = questions?.length ?? DEFAULT_QUESTION_TOKENS.count
  const each = OVERHEAD_TOKENS + Buffer.byteLength(READING_SYSTEM_PROMPT) / BYTES_PER_TOKEN + asked
  return {
    input_tokens: Math.round(requestsFor(pages) * each + PICTURE_TOKENS * pages),
    output_tokens: Math.round(
      count * (requestsFor(pages) * TOKENS_PER_QUESTION + LINES_PER_QUESTION * TOKENS_PER_LINE),
    ),
  }
}
