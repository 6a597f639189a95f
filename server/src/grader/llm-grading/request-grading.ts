import type { createHash } from 'node:crypto'
import type { LlmClient } from '../llm/llm-request.ts'
import { batchQuestions } from './prompt/batches.ts'
import {
  GRADING_SYSTEM_PROMPT,
  gradingPromptParts,
  PROMPT_VERSION,
  type PreparedQuestion,
} from './prompt/grading-prompt.ts'
import { type CriterionResponse, checkGradingResponse, GradingResponse } from './prompt/grading-schema.ts'

/** Unused tokens cost nothing. */
const REASONING_TOKENS = 3000
const TOKENS_PER_CRITERION = 400

export interface GradingResult {
  responses: Map<string, CriterionResponse>
  instructions: { question_id: string; words: string }[]
  /** One for each LLM request. */
  summaries: string[]
  call_ids: number[]
}

interface GradingRequestOptions {
  purpose: 'grade' | 'second_opinion'
  model?: string
  signal?: AbortSignal
  hash: ReturnType<typeof createHash>
}

/** Batches run one by one: after a failure nothing more should be paid for. @throws {LlmError} */
export async function requestGrading(
  llm: LlmClient,
  asked: readonly PreparedQuestion[],
  { purpose, model, signal, hash }: GradingRequestOptions,
): Promise<GradingResult> {
  const graded: GradingResult = { responses: new Map(), instructions: [], summaries: [], call_ids: [] }
  for (const batch of batchQuestions(asked)) {
    signal?.throwIfAborted()
    const criteria = batch.flatMap(({ question }) => question.criteria)
    const parts = gradingPromptParts(batch)
    hash.update(GRADING_SYSTEM_PROMPT)
    for (const part of parts) hash.update('text' in part ? part.text : part.picture.bytes)
    const { value, call_id } = await llm(
      {
        purpose,
        prompt_version: PROMPT_VERSION,
        system: GRADING_SYSTEM_PROMPT,
        parts,
        schema_name: 'grading',
        schema: GradingResponse,
        check: (value) => checkGradingResponse(value, criteria),
        most_tokens: REASONING_TOKENS + TOKENS_PER_CRITERION * criteria.length,
        ...(model ? { model } : {}),
      },
      signal,
    )
    for (const one of value.criteria) graded.responses.set(one.criterion_id, one)
    graded.instructions.push(...value.instructions_found)
    graded.summaries.push(value.summary)
    graded.call_ids.push(call_id)
  }
  return graded
}
