import type { Rubric } from '@assay/shared/rubrics.ts'

/** Enough of a rubric to count by. */
export type RubricWithPoints = {
  questions: { criteria: Pick<Rubric['questions'][number]['criteria'][number], 'points'>[] }[]
}

/** What a paper can earn in all; null until a rubric is there, and for one without questions. */
export function totalRubricPoints(rubric: RubricWithPoints | null | undefined): number | null {
  const points = rubric?.questions.flatMap(({ criteria }) => criteria.map((criterion) => criterion.points)) ?? []
  if (points.length === 0) return null
  // Halves and thirds added up leave dust behind the comma.
  return Math.round(points.reduce((sum, one) => sum + one, 0) * 1000) / 1000
}
