import type { Paper } from '@assay/shared/papers.ts'
import type { Rubric } from '@assay/shared/rubrics.ts'
import { generalProblem } from '@assay/shared/rules/rubric-problems.ts'
import { LlmError } from '../../llm/errors/llm-error.ts'
import type { LlmClient } from '../../llm/llm-request.ts'
import { mergeRubric } from './merge-rubric.ts'
import {
  RUBRIC_PROMPT_VERSION,
  RUBRIC_SYSTEM_PROMPT,
  type RubricPicture,
  RubricResponse,
  rubricPromptParts,
} from './rubric-prompt.ts'

const REASONING_TOKENS = 4000
const TOKENS_PER_QUESTION = 500
const MAX_TOKENS = 32_000

export interface RubricRequestOptions {
  /** For an LLM that reads images. */
  pictures?: (() => Promise<RubricPicture[]>) | undefined
  signal?: AbortSignal | undefined
}

/** Falls back on the rules' rubric, and says so in `problems`. @throws {LlmError} when no request is possible */
export async function completeRubric(
  llm: LlmClient,
  draft: Rubric,
  blank: Paper,
  key: Paper,
  { pictures, signal }: RubricRequestOptions = {},
): Promise<Rubric> {
  const tokens = REASONING_TOKENS + TOKENS_PER_QUESTION * Math.max(10, draft.questions.length)
  try {
    const { value } = await llm(
      {
        purpose: 'rubric',
        prompt_version: RUBRIC_PROMPT_VERSION,
        system: RUBRIC_SYSTEM_PROMPT,
        parts: rubricPromptParts(draft, blank, key, await pictures?.()),
        schema_name: 'rubric',
        schema: RubricResponse,
        check: ({ questions }) => (questions.length === 0 ? 'There are no questions.' : null),
        most_tokens: Math.min(MAX_TOKENS, tokens),
      },
      signal,
    )
    return mergeRubric(draft, value, blank, key)
  } catch (error) {
    if (!(error instanceof LlmError) || error.scope !== 'request') throw error
    const line = `The AI could not complete the rubric, so the draft was kept: ${error.message}`
    return { ...draft, problems: [...draft.problems, generalProblem(line, [])] }
  }
}
