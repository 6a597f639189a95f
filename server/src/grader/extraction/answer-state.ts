import type { Line } from '@assay/shared/papers.ts'
import type { Answer, AnswerState } from '../grader.ts'

export function answerState(answer: Pick<Answer, 'text' | 'found' | 'unreadable'> | undefined): AnswerState {
  if (!answer?.found) return 'not_found'
  if (answer.unreadable) return 'unreadable'
  return answer.text.trim() === '' ? 'empty' : 'read'
}

/** Handwriting comes out between .45 and .6, print above .9. */
const LEAST_READABLE = 0.75

const LEAST_WORD = 0.5 // most words below it are misread (`docs/lab/papers.md`)
const MOST_UNREAD = 0.2

export function isUnreadable(answer: Pick<Answer, 'text' | 'reading' | 'word_confidences'>): boolean {
  const { text, reading, word_confidences: words = [] } = answer
  if (text.trim() === '') return false
  const unread = words.filter((confidence) => confidence < LEAST_WORD).length
  return reading < LEAST_READABLE || (unread > 0 && unread >= MOST_UNREAD * words.length)
}

const FEWEST_WORDS = 8
/** OCR is less sure of numbers and formulas, even in print. */
const LEAST_FOR_NUMBERS = 0.5

/** Where OCR cannot read a hand, even its confident words are wrong. */
export function isIllegible(written: readonly Line[]): boolean {
  const all = written
    .filter(({ source }) => source === 'ocr')
    .flatMap((line) => line.words ?? line.text.split(/\s+/).map((text) => ({ text, confidence: line.confidence })))
  const words = all.filter(({ text }) => /\p{L}{3}/u.test(text))
  if (words.length >= FEWEST_WORDS) return meanConfidence(words) < LEAST_READABLE
  return all.length >= FEWEST_WORDS && meanConfidence(all) < LEAST_FOR_NUMBERS
}

/** 0..1, by letter; 1 for an empty text. */
export const readingConfidence = (parts: readonly { text: string; confidence: number }[]): number =>
  parts.every(({ text }) => text === '') ? 1 : Math.round(meanConfidence(parts) * 1000) / 1000

export function meanConfidence(words: readonly { text: string; confidence: number }[]): number {
  const letters = words.reduce((sum, { text }) => sum + text.length, 0)
  return words.reduce((sum, { text, confidence }) => sum + text.length * confidence, 0) / Math.max(1, letters)
}
