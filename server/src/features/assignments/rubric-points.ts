import type { Rubric } from '@assay/shared/rubrics.ts'

export type RubricWithPoints = {
  questions: { criteria: Pick<Rubric['questions'][number]['criteria'][number], 'points'>[] }[]
}

/** Null without a rubric, or for one without questions. */
export function totalRubricPoints(rubric: RubricWithPoints | null | undefined): number | null {
  const points = rubric?.questions.flatMap(({ criteria }) => criteria.map((criterion) => criterion.points)) ?? []
  if (points.length === 0) return null
  return Math.round(points.reduce((sum, one) => sum + one, 0) * 1000) / 1000
}
