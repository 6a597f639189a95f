/** A criterion's points. */
export interface ScoredCriterion {
  criterion_id: string
  /** The AI's points. */
  score: number
  max_score: number
}

/**
 * The score of a teacher's points by criterion in percent with one decimal, with the AI's where the teacher gave none; null where they gave
 * none at all.
 */
export function percentFromPoints(
  given: Readonly<Record<string, number>>,
  criteria: readonly ScoredCriterion[],
): number | null {
  const most = criteria.reduce((sum, { max_score }) => sum + max_score, 0)
  if (most <= 0 || !criteria.some(({ criterion_id }) => given[criterion_id] !== undefined)) return null
  const points = criteria.reduce((sum, one) => sum + (given[one.criterion_id] ?? one.score), 0)
  return Math.round((points / most) * 1000) / 10
}
