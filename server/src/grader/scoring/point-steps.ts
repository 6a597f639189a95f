import type { Criterion } from '@assay/shared/rubrics.ts'
import { roundPoints } from '@assay/shared/rules/points.ts'
import { roundToStep } from './score-curve.ts'

/** Its levels' points, all whole ones where those are bands, else every step; lowest first. */
export function pointSteps(criterion: Pick<Criterion, 'points' | 'levels'>): number[] {
  const levels = criterion.levels ?? []
  if (areBands(levels)) {
    const most = Math.max(...levels.map(({ points }) => points))
    return Array.from({ length: most + 1 }, (_, points) => points)
  }
  if (levels.length > 0) return sorted([0, ...levels.map((level) => level.points)])
  const count = criterion.points >= 2 ? Math.ceil(criterion.points * 2) : 4
  return sorted(
    Array.from({ length: count + 1 }, (_, i) => roundToStep(i / count, criterion.points)).concat(criterion.points),
  )
}

/** Bands of marks (“Level 2: 3–4 marks”), whose points are the maximum. */
export function areBands(levels: NonNullable<Criterion['levels']>): boolean {
  const points = sorted([0, ...levels.map((level) => level.points)])
  const gaps = points.slice(1).map((each, i) => each - (points[i] ?? 0))
  return levels.length > 1 && points.every(Number.isInteger) && gaps.every((gap) => gap > 1)
}

const sorted = (points: number[]) => [...new Set(points.map(roundPoints))].sort((a, b) => a - b)
