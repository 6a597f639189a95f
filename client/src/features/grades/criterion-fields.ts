import type { CriterionDecision, CriterionGrade } from '@assay/shared/grades.ts'
import { parseScore, pointsError } from './grade-form.ts'

export type FieldPart = 'points' | 'words'

export type FieldKey = `${FieldPart}.${string}`

export const fieldKey = (part: FieldPart, { criterion_id }: Pick<CriterionGrade, 'criterion_id'>): FieldKey =>
  `${part}.${criterion_id}`

export const partOf = (key: FieldKey): FieldPart => (key.startsWith('points.') ? 'points' : 'words')
export const criterionIdOf = (key: FieldKey): string => key.slice(key.indexOf('.') + 1)

/** `base`: what was stored as typing began, to notice others' changes. */
export type TypedFields = Readonly<Record<FieldKey, { text: string; base: string }>>

export function storedText(key: FieldKey, { teacher_score, teacher_feedback = '' }: CriterionGrade): string {
  if (partOf(key) === 'words') return teacher_feedback
  return teacher_score === undefined ? '' : String(teacher_score)
}

/** A sign or point alone may become a number, and is wrong only once `done`. */
export function fieldError(key: FieldKey, text: string, { max_score }: CriterionGrade, done: boolean): string | null {
  if (partOf(key) === 'words') return null
  return pointsError(parseScore(done ? text : text.replace(BEGUN_NUMBER, '')), max_score)
}

const BEGUN_NUMBER = /^\s*-?[.,]?\s*$/

export function changeOf(key: FieldKey, text: string, criterion: CriterionGrade): CriterionDecision | null {
  const { criterion_id, teacher_score, teacher_feedback = '', llm_feedback } = criterion
  if (partOf(key) === 'points') {
    const score = parseScore(text)
    return score === (teacher_score ?? null) ? null : { criterion_id, score }
  }
  const words = text.trim()
  // The AI's words are where one's own begin: unchanged, they stay the AI's.
  if (words === teacher_feedback || (teacher_feedback === '' && words === llm_feedback.trim())) return null
  return { criterion_id, feedback: words === '' ? null : words }
}
