/** An answer's score by the grader and by a person, as shares of its points, 0..1. */
export interface ScorePair {
  grader: number
  person: number
  /** What one level of it is, as a share of its points: the smallest difference in points that a person gives. */
  level: number
  /** How many answers it stands for; 1 if absent. */
  weight?: number
}

/** How two scorers agree. Differences are grader − person: a bias above 0 says that the grader is generous. */
export interface AgreementMetrics {
  /** Null where one of them gave everybody the same: it compares with chance, which is then no measure. */
  kappa: number | null
  /** The share of them that differ by at most one level. */
  withinOneLevel: number
  /** Shares of the points. */
  meanAbsoluteError: number
  bias: number
}

const EPSILON = 1e-9

/**
 * Quadratic weighted kappa (Cohen, 1968): 1 less the mean squared difference, relative to that between answers paired by chance. With
 * squared weights this needs no table of levels: it is the same on points and on shares of them.
 */
export function quadraticWeightedKappa(pairs: readonly ScorePair[]): number | null {
  let [n, observed, graders, persons, graders2, persons2] = [0, 0, 0, 0, 0, 0]
  for (const { grader, person, weight = 1 } of pairs) {
    n += weight
    observed += weight * (grader - person) ** 2
    graders += weight * grader
    persons += weight * person
    graders2 += weight * grader ** 2
    persons2 += weight * person ** 2
  }
  // Over all n² pairs of an answer's score by the one with any answer's score by the other.
  const byChance = graders2 / n + persons2 / n - (2 * graders * persons) / n ** 2
  return n > 0 && byChance > EPSILON ? 1 - observed / n / byChance : null
}

export function measurePairs(pairs: readonly ScorePair[]): AgreementMetrics {
  let [n, near, absolute, difference] = [0, 0, 0, 0]
  for (const { grader, person, level, weight = 1 } of pairs) {
    const off = Math.abs(grader - person)
    n += weight
    if (off <= level + EPSILON) near += weight
    absolute += weight * off
    difference += weight * (grader - person)
  }
  n ||= 1
  return {
    kappa: quadraticWeightedKappa(pairs),
    withinOneLevel: near / n,
    meanAbsoluteError: absolute / n,
    bias: difference / n,
  }
}
