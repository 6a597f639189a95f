import type { CriterionDecision, CriterionGrade, Grade, GradeOverride } from '@assay/shared/grades.ts'
import { percentFromPoints } from '@assay/shared/rules/criterion-points.ts'

export interface GradeDraft {
  /** Percent; empty for no score as a whole. */
  score: string
  feedback: string
  /** Saving a change clears the flag unless this is ticked. */
  flagged: boolean
}

/** Null where the score comes from the teacher's points. */
const overallOverride = (grade: Grade) => (grade.override_from_points ? null : grade.manual_score_override)

export function draftOf(grade: Grade): GradeDraft {
  return {
    score: overallOverride(grade) === null ? '' : String(overallOverride(grade)),
    feedback: grade.manual_feedback ?? '',
    flagged: false,
  }
}

export const sameDraft = (a: GradeDraft, b: GradeDraft): boolean =>
  a.score === b.score && a.feedback === b.feedback && a.flagged === b.flagged

/** Reads `88.5`, `88,5` and `88.5 %`; null for none, NaN (which the contract refuses) for anything else. */
export function parseScore(text: string): number | null {
  const plain = text.trim().replace(/\s*%$/, '').replace(',', '.')
  if (plain === '') return null
  return /^-?\d+(\.\d*)?$|^-?\.\d+$/.test(plain) ? Number(plain) : Number.NaN
}

export function pointsError(score: number | null, most: number): string | null {
  if (score === null) return null
  if (Number.isNaN(score)) return 'Enter a number'
  if (score < 0) return 'At least 0'
  return score > most ? `At most ${most}` : null
}

export function draftErrors({ score }: GradeDraft): Record<string, string> {
  const typed = parseScore(score.replace(/^\s*-?[.,]?\s*$/, ''))
  return typed !== null && !(typed >= 0 && typed <= 100) ? { score: 'Enter a score between 0 and 100' } : {}
}

export const overrideOf = (draft: GradeDraft): GradeOverride => ({
  overall_score: parseScore(draft.score),
  human_review_notes: draft.feedback.trim() || null,
  needs_review: draft.flagged,
})

/** In percent; null where no points are typed. Points above the maximum do not count. */
export function typedPercent(
  { criterion_grades_collection: criteria }: Grade,
  textOf: (criterion: CriterionGrade) => string,
) {
  const given = criteria.flatMap((criterion): [string, number][] => {
    const score = parseScore(textOf(criterion))
    return score === null || pointsError(score, criterion.max_score) !== null ? [] : [[criterion.criterion_id, score]]
  })
  return percentFromPoints(Object.fromEntries(given), criteria)
}

export const overallOf = (grade: Grade): Pick<GradeOverride, 'overall_score' | 'human_review_notes'> => ({
  overall_score: overallOverride(grade),
  human_review_notes: grade.manual_feedback,
})

export const approvalOf = (grade: Grade): GradeOverride => ({ ...overallOf(grade), needs_review: false })

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

/**
 * Unsaved text by person and submission. Outlives the screen, so that an ended session costs nobody their words, but
 * not the tab.
 */
function createDrafts<T>() {
  const drafts = new Map<string, T>()
  const keyOf = (userId: number, submissionId: number) => `${userId}/${submissionId}`
  return {
    find: (userId: number, submissionId: number) => drafts.get(keyOf(userId, submissionId)) ?? null,
    save: (userId: number, submissionId: number, draft: T) => void drafts.set(keyOf(userId, submissionId), draft),
    remove: (userId: number, submissionId: number) => void drafts.delete(keyOf(userId, submissionId)),
    clear: () => drafts.clear(),
  }
}

export const gradeDrafts = createDrafts<GradeDraft>()

export const fieldDrafts = createDrafts<TypedFields>()
