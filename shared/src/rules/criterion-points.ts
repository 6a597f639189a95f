export interface ScoredCriterion {
  criterion_id: string
  score: number | null
  max_score: number
}

type GivenPoints = Readonly<Record<string, number>>

/** The points as percent of what the criteria with a score can earn, with one decimal; null where none has a score. */
export function percentOfScored(criteria: readonly Pick<ScoredCriterion, 'score' | 'max_score'>[]): number | null {
  let [points, most] = [0, 0]
  for (const { score, max_score } of criteria) {
    if (score === null) continue
    points += score
    most += max_score
  }
  return most > 0 ? Math.round((points / most) * 1000) / 10 : null
}

/** Criteria worth less of the points than that say nothing about the whole paper. */
const LEAST_SCORED = 1 / 6

/** Percent of what the AI scored, where that is at least a sixth of the points; else null. */
export function overallPercent(criteria: readonly Pick<ScoredCriterion, 'score' | 'max_score'>[]): number | null {
  const most = criteria.reduce((sum, { max_score }) => sum + max_score, 0)
  const scored = criteria.reduce((sum, { score, max_score }) => sum + (score === null ? 0 : max_score), 0)
  return scored < LEAST_SCORED * most ? null : percentOfScored(criteria)
}

/**
 * A teacher's points, with the AI's for the rest, in percent with one decimal; null where the teacher gave none. What
 * neither has scored is left out.
 */
export function percentFromPoints(given: GivenPoints, criteria: readonly ScoredCriterion[]): number | null {
  if (!criteria.some(({ criterion_id }) => given[criterion_id] !== undefined)) return null
  return percentOfScored(
    criteria.map(({ criterion_id, score, max_score }) => ({ score: given[criterion_id] ?? score, max_score })),
  )
}

/** Of what has a score: `wholeScore` (percent) of all points, else the teacher's points and the AI's for the rest. */
export function finalPoints(
  criteria: readonly ScoredCriterion[],
  given: GivenPoints = {},
  wholeScore: number | null = null,
): { given: number; of: number } | null {
  const counted = criteria.flatMap(({ criterion_id, score, max_score }) => {
    const points = given[criterion_id] ?? score
    return points === null && wholeScore === null ? [] : [{ points: points ?? 0, max_score }]
  })
  const of = roundPoints(counted.reduce((sum, { max_score }) => sum + max_score, 0))
  if (of === 0) return null
  const points = counted.reduce((sum, one) => sum + one.points, 0)
  return { given: roundPoints(wholeScore === null ? points : (wholeScore / 100) * of), of }
}

/** Points as people write them: sums of halves and thirds have rounding errors. */
export const roundPoints = (points: number) => Math.round(points * 100) / 100

/** A score in percent may have been rounded to one decimal. */
const ROUNDED = 0.051

/** True where the teacher scored the whole paper: points are missing, or do not make the score. */
export function isWholeScore(
  score: number | null,
  criteria: readonly Pick<ScoredCriterion, 'score' | 'max_score'>[],
): boolean {
  if (score === null) return false
  if (criteria.some((criterion) => criterion.score === null)) return true
  const possible = criteria.reduce((sum, one) => sum + one.max_score, 0)
  const earned = criteria.reduce((sum, one) => sum + (one.score ?? 0), 0)
  return possible > 0 && Math.abs((100 * earned) / possible - score) > ROUNDED
}

/** How many points neither the AI nor the teacher has decided on. */
export function unscoredPoints(criteria: readonly ScoredCriterion[], given: GivenPoints = {}): number {
  const open = criteria.filter(({ criterion_id, score }) => score === null && given[criterion_id] === undefined)
  return open.reduce((sum, { max_score }) => sum + max_score, 0)
}
