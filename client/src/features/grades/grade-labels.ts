import type { CriterionGrade, Grade, PerformanceLevel, UnscoredReason } from '@assay/shared/grades.ts'
import type { GradeBand } from '@assay/shared/rules/letter-grades.ts'

export const bandLabels: Record<GradeBand, string> = {
  excellent: 'Excellent',
  good: 'Good',
  satisfactory: 'Satisfactory',
  needsWork: 'Needs work',
  incomplete: 'Incomplete',
}

export const levelLabels: Record<PerformanceLevel, string> = {
  excellent: 'Excellent',
  good: 'Good',
  partial: 'Partial',
  minimal: 'Minimal',
  none: 'No credit',
}

/** Why the AI gave no score, to the teacher. */
export const unscoredLabels: Record<UnscoredReason, string> = {
  cannot_judge: 'The AI can’t judge this answer.',
  not_found: 'Couldn’t find this question on the paper.',
  unreadable: 'The answer couldn’t be read.',
  no_expected_answer: 'The key has no answer to compare with.',
}

/** Neither the AI nor the teacher has given points. */
export const isUnscored = ({ score, teacher_score }: Pick<CriterionGrade, 'score' | 'teacher_score'>) =>
  score === null && teacher_score === undefined

/** A person has to give its points: nobody has, and no score for the whole paper counts for it. */
export const isToGrade = (criterion: Pick<CriterionGrade, 'score' | 'teacher_score'>, grade: Grade) =>
  grade.unscored_points > 0 && isUnscored(criterion)

/** From here on the grader is called sure of a criterion. */
const CONFIDENT = 0.7

export const isConfident = (criterion: Pick<CriterionGrade, 'confidence'>) => criterion.confidence >= CONFIDENT

/** `sure of 4 of 6`. */
export function confidenceSummary(criteria: CriterionGrade[]): string {
  return `sure of ${criteria.filter(isConfident).length} of ${criteria.length}`
}

/** Points without a tail of zeros: `7.5`, `10`; a dash for none. */
export function formatPoints(points: number | null): string {
  if (points === null) return '–'
  return String(Math.round(points * 100) / 100)
}
