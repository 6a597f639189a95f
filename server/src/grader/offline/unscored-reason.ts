import type { UnscoredReason } from '@assay/shared/grades.ts'
import type { Judgement } from '../exact/judgement.ts'
import { answerState } from '../extraction/answer-state.ts'
import type { Answer } from '../grader.ts'

/** Why comparing words gives an answer no score; null when it gives one. */
export function unscoredReasonOf(answer: Answer, { remarks }: Pick<Judgement, 'remarks'>): UnscoredReason | null {
  if (remarks.includes('cannot_judge')) return 'cannot_judge'
  const state = answerState(answer)
  if (state === 'not_found' || state === 'unreadable') return state
  return remarks.includes('no_key') ? 'no_expected_answer' : null
}
