/**
 * From agreement to points. The curve and the error are fixed; they follow what teachers gave at each level of
 * agreement over three public sets together (`docs/grading.md`), rounded, and are the same for every paper. A
 * teacher's own scale comes from their overrides later on.
 */
type Curve = [at: number, value: number][]

const SHARE: Curve = [
  [0.06, 0],
  [0.2, 0.2],
  [0.4, 0.45],
  [0.6, 0.75],
  [0.78, 1],
]

/** Expected |error| as a share of the points. */
const EXPECTED_ERROR: Curve = [
  [0, 0.1],
  [0.1, 0.25],
  [0.25, 0.37],
  [0.4, 0.4],
  [0.55, 0.37],
  [0.7, 0.28],
  [0.8, 0.2],
  [0.95, 0.07],
]

function along(curve: Curve, x: number): number {
  let [fromX, fromY] = curve[0] ?? [0, 0]
  if (x <= fromX) return fromY
  for (const [toX, toY] of curve) {
    if (x <= toX) return fromY + ((x - fromX) / (toX - fromX || 1)) * (toY - fromY)
    ;[fromX, fromY] = [toX, toY]
  }
  return fromY
}

/** Share of the points for a raw score, rising and monotone. */
export const shareAt = (raw: number): number => along(SHARE, raw)

/** 1 − expected |error| at a raw score. */
export const confidenceAt = (raw: number): number => 1 - along(EXPECTED_ERROR, raw)

/** Points as a teacher would write them: halves from 2 points up, quarters below. */
export function roundToStep(share: number, points: number): number {
  const step = points >= 2 ? 0.5 : points / 4
  return Math.min(points, Math.max(0, Math.round((share * points) / step) * step))
}

export type Level = 'excellent' | 'good' | 'partial' | 'minimal' | 'none'

export function levelOf(share: number): Level {
  if (share >= 0.9) return 'excellent'
  if (share >= 0.7) return 'good'
  if (share >= 0.4) return 'partial'
  return share > 0 ? 'minimal' : 'none'
}
