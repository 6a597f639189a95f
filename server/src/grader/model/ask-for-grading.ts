import type { createHash } from 'node:crypto'
import { type CriterionOpinion, checkGrading, Grading } from './answer-schema.ts'
import type { Ask, Purpose } from './ask.ts'
import { inBatches } from './batches.ts'
import { type AskedQuestion, gradingParts, PROMPT_VERSION, SYSTEM } from './prompt.ts'

/** Room to think first, which some models do, and for what is said of a criterion. Unused room costs nothing. */
const TOKENS_TO_THINK = 3000
const TOKENS_A_CRITERION = 400

export interface Graded {
  said: Map<string, CriterionOpinion>
  instructions: { question_id: string; words: string }[]
  /** One of each question to the model. */
  summaries: string[]
  call_ids: number[]
}

export interface HowToAsk {
  purpose: Extract<Purpose, 'grade' | 'second_opinion'>
  /** Another model than the chosen one. */
  model?: string
  signal?: AbortSignal
  /** Takes in all that is sent. */
  hash: ReturnType<typeof createHash>
}

/**
 * Puts questions of one paper to a model and checks what comes back. One after the other: a paper's parts are not in a hurry,
 * and once one fails nothing more should be paid for.
 * @throws {ModelTrouble}
 */
export async function askForGrading(
  ask: Ask,
  asked: readonly AskedQuestion[],
  { purpose, model, signal, hash }: HowToAsk,
): Promise<Graded> {
  const graded: Graded = { said: new Map(), instructions: [], summaries: [], call_ids: [] }
  for (const batch of inBatches(asked)) {
    signal?.throwIfAborted()
    const criteria = batch.flatMap(({ question }) => question.criteria)
    const parts = gradingParts(batch)
    hash.update(SYSTEM)
    for (const part of parts) hash.update('text' in part ? part.text : part.picture.bytes)
    const { value, call_id } = await ask(
      {
        purpose,
        prompt_version: PROMPT_VERSION,
        system: SYSTEM,
        parts,
        schema_name: 'grading',
        schema: Grading,
        check: (value) => checkGrading(value, criteria),
        most_tokens: TOKENS_TO_THINK + TOKENS_A_CRITERION * criteria.length,
        ...(model ? { model } : {}),
      },
      signal,
    )
    for (const one of value.criteria) graded.said.set(one.criterion_id, one)
    graded.instructions.push(...value.instructions_found)
    graded.summaries.push(value.summary)
    graded.call_ids.push(call_id)
  }
  return graded
}
