import type { CriterionGrade, PerformanceLevel } from '@assay/shared/grades.ts'
import type { GradeBand } from '@assay/shared/rules/letters.ts'

export const bandWords: Record<GradeBand, string> = {
  excellent: 'Excellent',
  good: 'Good',
  satisfactory: 'Satisfactory',
  needsWork: 'Needs work',
  incomplete: 'Incomplete',
}

export const levelWords: Record<PerformanceLevel, string> = {
  excellent: 'Excellent',
  good: 'Good',
  partial: 'Partial',
  minimal: 'Minimal',
  none: 'No credit',
}

/** From here on the grader is called sure of a criterion. */
const SURE = 0.7

export const isSure = (criterion: CriterionGrade) => criterion.confidence >= SURE

/** `sure of 4 of 6`. */
export function sureOf(criteria: CriterionGrade[]): string {
  return `sure of ${criteria.filter(isSure).length} of ${criteria.length}`
}

/** Points without a tail of zeros: `7.5`, `10`. */
export function formatPoints(points: number): string {
  return String(Math.round(points * 100) / 100)
}
