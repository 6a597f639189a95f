import type { createHash } from 'node:crypto'
import type { LlmClient } from '../llm/llm-request.ts'
import type { LlmJudgement } from './checks/llm-judgement.ts'
import { withoutSentences } from './checks/outlier-sentences.ts'
import type { LlmGraderOptions } from './llm-grader.ts'
import type { PreparedQuestion } from './prompt/grading-prompt.ts'
import { requestGrading } from './request-grading.ts'

/**
 * Asks about doubtful answers a second time: another model where one is set, else the same, with everything in another order
 * and without the sentences that have nothing to do with the question. The first answer stands; what the second says is
 * kept beside it. Returns the calls' ids.
 */
export async function requestSecondOpinion(
  ask: LlmClient,
  asked: readonly PreparedQuestion[],
  doubtful: LlmJudgement[],
  how: {
    chosen: LlmGraderOptions['settings']
    hash: ReturnType<typeof createHash>
    signal?: AbortSignal
  },
): Promise<number[]> {
  const { chosen, hash, signal } = how
  const ids = new Set(doubtful.map(({ question }) => question.id))
  const other = chosen.second_opinion === 'other' && chosen.second_model ? { model: chosen.second_model } : {}
  const questions = asked
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
  const { responses, call_ids } = await requestGrading(ask, questions, {
    purpose: 'second_opinion',
    hash,
    ...other,
    ...(signal ? { signal } : {}),
  })
  for (const one of doubtful) one.secondOpinion = responses.get(one.criterion.id) ?? null
  return call_ids
}
