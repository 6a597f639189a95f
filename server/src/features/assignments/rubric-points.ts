import type { Rubric } from '@assay/shared/rubrics.ts'

/** Enough of a rubric to count by. */
export type RubricWithPoints = {
  questions: { criteria: Pick<Rubric['questions'][number]['criteria'][number], 'points'>[] }[]
}

/** The most points a paper can earn; null without a rubric, or for a rubric without questions. */
export function totalRubricPoints(rubric: RubricWithPoints | null | undefined): number | null {
  const points = rubric?.questions.flatMap(({ criteria }) => criteria.map((criterion) => criterion.points)) ?? []
  if (points.length === 0) return null
  // Adding up fractions leaves rounding errors.
  return Math.round(points.reduce((sum, one) => sum + one, 0) * 1000) / 1000
}
