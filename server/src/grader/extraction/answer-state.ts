import type { Answer, AnswerState } from '../grader.ts'

/** Nothing written, not found and not readable are three different things. */
export function answerState(answer: Pick<Answer, 'text' | 'found' | 'unreadable'> | undefined): AnswerState {
  if (!answer?.found) return 'not_found'
  if (answer.unreadable) return 'unreadable'
  return answer.text.trim() === '' ? 'empty' : 'read'
}

/** Below it what OCR reads is a hint at best: handwriting comes out between .45 and .6, print above .9. */
const LEAST_READABLE = 0.75

export const isUnreadable = ({ text, reading }: Pick<Answer, 'text' | 'reading'>): boolean =>
  text.trim() !== '' && reading < LEAST_READABLE
