import type { Concern, StudentTrend } from '@assay/shared/analytics.ts'
import { mean } from '../../lib/numbers.ts'

/** A smaller difference, in percent points, may be chance. */
const MIN_TREND_POINTS = 5

/**
 * A student's grades in the order of their assignments, in percent: the later half against the earlier one. The middle
 * one of an odd number belongs to neither. Null for fewer than two.
 */
export function scoreTrend(scores: number[]): StudentTrend | null {
  const half = Math.floor(scores.length / 2)
  if (half === 0) return null
  const change = mean(scores.slice(-half)) - mean(scores.slice(0, half))
  if (change >= MIN_TREND_POINTS) return 'improving'
  return change <= -MIN_TREND_POINTS ? 'declining' : 'stable'
}

interface Progress {
  average: number | null
  trend: StudentTrend | null
  /** Assignments in which anybody has a grade by now. */
  graded: number
  /** Of those, how many this student has a grade for. */
  completed: number
}

const FAILS_BELOW = 65
const LOW_BELOW = 70
const MIN_COMPLETION = 0.6

/** Why a student may need help. One missing paper is no concern yet; assignments nobody has a grade in do not count. */
export function findConcerns({ average, trend, graded, completed }: Progress): Concern[] {
  const missing = graded - completed
  return [
    ...(average !== null && average < FAILS_BELOW ? (['low_average'] as const) : []),
    ...(missing >= 2 && completed < graded * MIN_COMPLETION ? (['missing_work'] as const) : []),
    ...(trend === 'declining' && average !== null && average < LOW_BELOW ? (['falling'] as const) : []),
  ]
}
