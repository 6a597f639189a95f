import type { createHash } from 'node:crypto'
import type { LlmSettings } from '@assay/shared/llm/llm-settings.ts'
import type { LlmClient } from '../llm/llm-request.ts'
import type { LlmJudgement } from './checks/llm-judgement.ts'
import { withoutSentences } from './checks/outlier-sentences.ts'
import type { PreparedQuestion } from './prompt/grading-prompt.ts'
import { requestGrading } from './request-grading.ts'

/**
 * Grades uncertain answers a second time: with another LLM where one is set, else the same, with everything in another order and
 * without sentences unrelated to the question. The first judgement stays, the second is stored beside it. Returns the calls' ids.
 */
export async function requestSecondOpinion(
  llm: LlmClient,
  prepared: readonly PreparedQuestion[],
  uncertain: LlmJudgement[],
  options: {
    settings: Pick<LlmSettings, 'second_opinion' | 'second_model'>
    hash: ReturnType<typeof createHash>
    signal?: AbortSignal
  },
): Promise<number[]> {
  const { settings, hash, signal } = options
  const ids = new Set(uncertain.map(({ question }) => question.id))
  const other = settings.second_opinion === 'other' && settings.second_model ? { model: settings.second_model } : {}
  const questions = prepared
    .filter(({ question }) => ids.has(question.id))
    .map((one): PreparedQuestion => {
      const rest = withoutSentences(one.text, one.outlierSentences)
      return {
        ...one,
        question: { ...one.question, criteria: one.question.criteria.toReversed() },
        text: rest === '' ? one.text : rest,
      }
    })
    .reverse()
  const { responses, call_ids } = await requestGrading(llm, questions, {
    purpose: 'second_opinion',
    hash,
    ...other,
    ...(signal ? { signal } : {}),
  })
  for (const one of uncertain) one.secondOpinion = responses.get(one.criterion.id) ?? null
  return call_ids
}
