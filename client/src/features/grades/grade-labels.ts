import type { CriterionGrade, PerformanceLevel } from '@assay/shared/grades.ts'
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

/** From here on the grader is called sure of a criterion. */
const CONFIDENT = 0.7

export const isConfident = (criterion: CriterionGrade) => criterion.confidence >= CONFIDENT

/** `sure of 4 of 6`. */
export function confidenceSummary(criteria: CriterionGrade[]): string {
  return `sure of ${criteria.filter(isConfident).length} of ${criteria.length}`
}

/** Points without a tail of zeros: `7.5`, `10`. */
export function formatPoints(points: number): string {
  return String(Math.round(points * 100) / 100)
}
