import type { Agreement, Estimate } from '@assay/shared/accuracy-checks.ts'
import { seededRandom } from '../../lib/seeded-random.ts'

/** Shares of the answer's points, 0..1. */
export interface ScorePair {
  grader: number
  person: number
  /** One point, as a share of the answer's points. */
  level: number
}

const EPSILON = 1e-9

/** Cohen, 1968: 1 less the mean squared difference over that of pairs by chance. Null where neither score varies. */
export function quadraticWeightedKappa(pairs: readonly ScorePair[]): number | null {
  const graders = pairs.map(({ grader }) => grader)
  const persons = pairs.map(({ person }) => person)
  const byChance =
    mean(graders.map((x) => x ** 2)) + mean(persons.map((x) => x ** 2)) - 2 * mean(graders) * mean(persons)
  return byChance > EPSILON ? 1 - mean(pairs.map(({ grader, person }) => (grader - person) ** 2)) / byChance : null
}

const METRICS: { [Metric in keyof Agreement]: (pairs: readonly ScorePair[]) => number | null } = {
  kappa: quadraticWeightedKappa,
  within_one_level: (pairs) => mean(pairs.map((one) => (errorOf(one) <= one.level + EPSILON ? 1 : 0))),
  mean_error: (pairs) => mean(pairs.map(errorOf)),
  bias: (pairs) => mean(pairs.map(({ grader, person }) => grader - person)),
}

const PROBABILITY = 0.9
const RESAMPLES = 1000
const SEED = 20

/** Percentile bootstrap (Efron and Tibshirani, 1993, chapter 13), seeded. Without `isSample` the figures are exact. */
export function estimateAgreement(pairs: readonly ScorePair[], isSample: boolean): Agreement {
  const random = seededRandom(SEED)
  const resamples = Array.from({ length: isSample ? RESAMPLES : 0 }, () =>
    pairs.flatMap(() => pairs[Math.floor(random() * pairs.length)] ?? []),
  )
  const estimate = (metric: keyof Agreement): Estimate | null => {
    const value = METRICS[metric](pairs)
    if (value === null) return null
    const values = resamples.flatMap((resample) => METRICS[metric](resample) ?? []).sort((a, b) => a - b)
    const quantile = (share: number) => values[Math.round(share * (values.length - 1))] ?? value
    return { value, low: quantile((1 - PROBABILITY) / 2), high: quantile((1 + PROBABILITY) / 2) }
  }
  return {
    kappa: estimate('kappa'),
    within_one_level: estimate('within_one_level'),
    mean_error: estimate('mean_error'),
    bias: estimate('bias'),
  }
}

const errorOf = ({ grader, person }: ScorePair) => Math.abs(grader - person)
const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length
