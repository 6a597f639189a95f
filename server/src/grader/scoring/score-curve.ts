import type { PerformanceLevel } from '@assay/shared/grades.ts'
import type { Criterion } from '@assay/shared/rubrics.ts'
import { roundPoints } from '@assay/shared/rules/points.ts'

/** Fitted to teachers on three public sets together (`docs/grading.md`); `TeacherCalibration` adapts to one teacher. */
const SHARE_CURVE: [raw: number, share: number][] = [
  [0.1, 0.14],
  [0.3, 0.38],
  [0.5, 0.65],
  [0.8, 0.97],
  [1, 1],
]

export function shareForScore(raw: number): number {
  let [from, low] = [0, 0]
  for (const [to, high] of SHARE_CURVE) {
    if (raw <= to) return low + ((raw - from) / (to - from)) * (high - low)
    ;[from, low] = [to, high]
  }
  return low
}

/** Milder than for one mark, above all to long answers; from partly credited answers (`docs/grading.md`). */
export function shareForMarks(raw: number, length: number): number {
  const said = Math.min(1.2, Math.max(-1.8, Math.log(Math.max(1, length) / 6)))
  const odds = -1.1 + 2.4 * Math.sqrt(Math.max(0, raw)) + 1.6 * raw + 0.7 * said
  return Math.min(1, (1 + 0.08 * raw) / (1 + Math.exp(-odds)))
}

export function roundToStep(share: number, points: number): number {
  const step = points >= 2 ? 0.5 : points / 4
  return roundPoints(Math.min(points, Math.max(0, Math.round((share * points) / step) * step)))
}

export function levelOf(share: number): PerformanceLevel {
  if (share >= 0.9) return 'excellent'
  if (share >= 0.7) return 'good'
  if (share >= 0.4) return 'partial'
  return share > 0 ? 'minimal' : 'none'
}

/** Lowest first; bands include all whole points. */
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
