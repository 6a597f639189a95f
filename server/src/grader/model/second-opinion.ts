import type { createHash } from 'node:crypto'
import type { Ask } from './ask.ts'
import { askForGrading } from './ask-for-grading.ts'
import type { ModelGraderOptions } from './model-grader.ts'
import { without } from './odd-sentences.ts'
import type { Opinion } from './opinion.ts'
import type { AskedQuestion } from './prompt.ts'

/**
 * Asks about doubtful answers a second time: another model where one is set, else the same, with everything in another order
 * and without the sentences that have nothing to do with the question. The first answer stands; what the second says is
 * kept beside it. Returns the calls' ids.
 */
export async function askAgain(
  ask: Ask,
  asked: readonly AskedQuestion[],
  doubtful: Opinion[],
  how: {
    chosen: ModelGraderOptions['chosen']
    hash: ReturnType<typeof createHash>
    signal?: AbortSignal
  },
): Promise<number[]> {
  const { chosen, hash, signal } = how
  const ids = new Set(doubtful.map(({ question }) => question.id))
  const other = chosen.second_opinion === 'other' && chosen.second_model ? { model: chosen.second_model } : {}
  const questions = asked
    .filter(({ question }) => ids.has(question.id))
    .map((one): AskedQuestion => {
      const rest = without(one.text, one.odd)
      return {
        ...one,
        question: { ...one.question, criteria: one.question.criteria.toReversed() },
        text: rest === '' ? one.text : rest,
      }
    })
    .reverse()
  const { said, call_ids } = await askForGrading(ask, questions, {
    purpose: 'second_opinion',
    hash,
    ...other,
    ...(signal ? { signal } : {}),
  })
  for (const one of doubtful) one.second = said.get(one.criterion.id) ?? null
  return call_ids
}
