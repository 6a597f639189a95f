import type { Criterion } from '@assay/shared/rubrics.ts'
import { roundToStep } from './score-curve.ts'

/** The points a criterion may earn, lowest first: its levels' where it has some, else every step from nought to all. */
export function pointSteps(criterion: Pick<Criterion, 'points' | 'levels'>): number[] {
  const levels = criterion.levels ?? []
  if (levels.length > 0) return sorted([0, ...levels.map((level) => level.points)])
  const count = criterion.points >= 2 ? Math.ceil(criterion.points * 2) : 4
  return sorted(
    Array.from({ length: count + 1 }, (_, i) => roundToStep(i / count, criterion.points)).concat(criterion.points),
  )
}

const sorted = (points: number[]) =>
  [...new Set(points.map((each) => Math.round(each * 1e4) / 1e4))].sort((a, b) => a - b)
