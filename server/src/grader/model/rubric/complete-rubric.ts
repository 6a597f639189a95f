import type { Paper } from '@assay/shared/papers.ts'
import type { Rubric } from '@assay/shared/rubrics.ts'
import type { Ask } from '../ask.ts'
import { ModelTrouble } from '../model-trouble.ts'
import { mergeRubric } from './merge-rubric.ts'
import { ReadRubric, RUBRIC_PROMPT_VERSION, RUBRIC_SYSTEM, rubricParts } from './rubric-prompt.ts'

const TOKENS_TO_THINK = 4000
const TOKENS_A_QUESTION = 500
const MOST_TOKENS = 32_000

/**
 * Has a model complete the rubric the rules made of blank and key; `mergeRubric` says what is taken from it. A model that gives no
 * usable answer leaves the rules' rubric, with a line in `problems`.
 * @throws {ModelTrouble} when the model cannot be asked at all
 */
export async function completeRubric(
  ask: Ask,
  draft: Rubric,
  blank: Paper,
  key: Paper,
  signal?: AbortSignal,
): Promise<Rubric> {
  try {
    const { value } = await ask(
      {
        purpose: 'rubric',
        prompt_version: RUBRIC_PROMPT_VERSION,
        system: RUBRIC_SYSTEM,
        parts: rubricParts(draft, blank, key),
        schema_name: 'rubric',
        schema: ReadRubric,
        check: ({ questions }) => (questions.length === 0 ? 'There are no questions.' : null),
        most_tokens: Math.min(
          MOST_TOKENS,
          TOKENS_TO_THINK + TOKENS_A_QUESTION * Math.max(10, draft.questions.length),
        ),
      },
      signal,
    )
    return mergeRubric(draft, value, blank, key)
  } catch (error) {
    if (!(error instanceof ModelTrouble) || error.scope !== 'paper') throw error
    const line = `The model could not complete the rubric, so it stands as the rules read it: ${error.message}`
    return { ...draft, problems: [...draft.problems, line] }
  }
}
