import type { CriterionGrade, Grade, GradeOverride } from '@assay/shared/grades.ts'
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
