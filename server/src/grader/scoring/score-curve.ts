import type { SignalSettings } from '../text/signal-settings.ts'

/**
 * From agreement to points. The curve and the error are fixed; they follow what teachers gave at each level of
 * agreement over three public sets together (`docs/grading.md`), rounded, and are the same for every paper. A
 * teacher's own scale comes from their decisions (`teacher-calibration.ts`).
 */
type Curve = [at: number, value: number][]

const SHARE_CURVE: Curve = [
  [0, 0],
  [0.1, 0.14],
  [0.3, 0.38],
  [0.5, 0.65],
  [0.8, 0.97],
  [1, 1],
]

/**
 * Expected |error| as a share of the points, by the share given. A short answer that has nothing of the key is wrong; a long
 * one may have said it in other words.
 */
const ERROR_OF_SHORT: Curve = [
  [0, 0.04],
  [0.1, 0.12],
  [0.25, 0.35],
  [0.4, 0.42],
  [0.55, 0.44],
  [0.7, 0.32],
  [0.85, 0.26],
  [1, 0.06],
]
const ERROR_OF_LONG: Curve = [
  [0, 0.52],
  [0.25, 0.48],
  [0.4, 0.42],
  [0.55, 0.34],
  [0.7, 0.28],
  [0.85, 0.24],
  [1, 0.08],
]
function interpolate(curve: Curve, x: number): number {
  let [fromX, fromY] = curve[0] ?? [0, 0]
  if (x <= fromX) return fromY
  for (const [toX, toY] of curve) {
    if (x <= toX) return fromY + ((x - fromX) / (toX - fromX || 1)) * (toY - fromY)
    ;[fromX, fromY] = [toX, toY]
  }
  return fromY
}

/** Share of the points for a raw score, rising and monotone. */
export const shareForScore = (raw: number): number => interpolate(SHARE_CURVE, raw)

/** Expected |error| of a share given to an answer of so many different terms. */
export function expectedError(
  share: number,
  length: number,
  { short, long }: Pick<SignalSettings, 'short' | 'long'>,
): number {
  const far = Math.min(1, Math.max(0, Math.log(Math.max(1, length) / short) / Math.log(long / short)))
  return (1 - far) * interpolate(ERROR_OF_SHORT, share) + far * interpolate(ERROR_OF_LONG, share)
}

/** Points as a teacher would write them: halves from 2 points up, quarters below. */
export function roundToStep(share: number, points: number): number {
  const step = points >= 2 ? 0.5 : points / 4
  return Math.min(points, Math.max(0, Math.round((share * points) / step) * step))
}

export type ScoreLevel = 'excellent' | 'good' | 'partial' | 'minimal' | 'none'

export function levelOf(share: number): ScoreLevel {
  if (share >= 0.9) return 'excellent'
  if (share >= 0.7) return 'good'
  if (share >= 0.4) return 'partial'
  return share > 0 ? 'minimal' : 'none'
}
