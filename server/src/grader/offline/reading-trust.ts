import type { Judgement } from '../exact/judgement.ts'
import { answerState } from '../extraction/answer-state.ts'
import type { Answer, ExtractedSubmission } from '../grader.ts'
import { LOW_READING_CONFIDENCE } from '../scoring/low-confidence.ts'

/** Share of printed lines OCR reads exactly, by confidence (`docs/lab/papers.md`). */
const READ_RIGHT = [
  { from: 0.93, share: 1 },
  { from: 0.85, share: 0.8 },
  { from: LOW_READING_CONFIDENCE, share: 0.7 },
]

/** A misread answer may have been right, but hardly became right by misreading. */
export function trustInReading({ reading }: Answer, { share }: Pick<Judgement, 'share'>): number {
  if (reading < LOW_READING_CONFIDENCE) return reading
  return share >= 1 ? 1 : (READ_RIGHT.find(({ from }) => reading >= from)?.share ?? 1)
}

/** Only where print on the same paper could be read. */
export function mayBeConfirmed(answer: Answer, { answers }: ExtractedSubmission): boolean {
  // A hand that OCR cannot read is left to a person, and so is what a model has looked at and could not read.
  if (answerState(answer) !== 'unreadable' || answer.seen) return false
  return answers.some((one) => one.reading < 1 && answerState(one) === 'read')
}

/** Shorter answers match by chance. */
const FEWEST_LETTERS = 3
const CONFIRMED = 0.9

/** It says just what the key does. */
export function isConfirmedByKey(
  answer: Answer,
  { share, confidence, remarks }: Pick<Judgement, 'share' | 'confidence' | 'remarks'>,
  extracted: ExtractedSubmission,
): boolean {
  if (!mayBeConfirmed(answer, extracted) || share < 1 || confidence < CONFIRMED) return false
  if (!remarks.includes('exact_right') && !remarks.includes('verbatim')) return false
  return (answer.text.match(/[\p{L}\p{N}]/gu) ?? []).length >= FEWEST_LETTERS
}
