import { type Points, percentOf, pointsFromPercent, sumPoints } from './points.ts'

export interface ScoredCriterion {
  criterion_id: string
  score: number | null
  max_score: number
  /** Its points come on top of the total. */
  bonus?: true | undefined
}

type GivenPoints = Readonly<Record<string, number>>

const pointsOfTotal = (criteria: readonly Pick<ScoredCriterion, 'max_score' | 'bonus'>[]) =>
  sumPoints(criteria.map(({ max_score, bonus }) => (bonus ? 0 : max_score)))

/** Less says nothing about the whole paper. */
const LEAST_SCORED = 1 / 6

/** Of what the AI scored; null below a sixth of the points. */
export function overallPercent(criteria: readonly ScoredCriterion[]): number | null {
  const points = finalPoints(criteria)
  return points === null || points.of < LEAST_SCORED * pointsOfTotal(criteria) ? null : percentOf(points)
}

/** The AI's for the rest, in percent; null without any of the teacher's. */
export function percentFromPoints(given: GivenPoints, criteria: readonly ScoredCriterion[]): number | null {
  const points = finalPoints(criteria, given)
  return points && criteria.some(({ criterion_id }) => given[criterion_id] !== undefined) ? percentOf(points) : null
}

/** `wholeScore` (percent) of all points, else the teacher's points and the AI's for the rest. */
export function finalPoints(
  criteria: readonly ScoredCriterion[],
  given: GivenPoints = {},
  wholeScore: number | null = null,
): Points | null {
  const pointsOf = ({ criterion_id, score }: ScoredCriterion) => given[criterion_id] ?? score
  const counted = wholeScore === null ? criteria.filter((criterion) => pointsOf(criterion) !== null) : criteria
  const of = pointsOfTotal(counted)
  if (of === 0) return null
  return wholeScore === null
    ? { given: sumPoints(counted.map((criterion) => pointsOf(criterion) ?? 0)), of }
    : pointsFromPercent(wholeScore, of)
}

/** Points are missing, or do not make the score. */
export const isWholeScore = (points: Points | null, criteria: readonly Pick<ScoredCriterion, 'score'>[]): boolean =>
  points !== null &&
  (criteria.some(({ score }) => score === null) || sumPoints(criteria.map(({ score }) => score ?? 0)) !== points.given)

export function unscoredPoints(criteria: readonly ScoredCriterion[], given: GivenPoints = {}): number {
  const open = criteria.filter(({ criterion_id, score }) => score === null && given[criterion_id] === undefined)
  return sumPoints(open.map(({ max_score }) => max_score))
}
