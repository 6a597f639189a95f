/**
 * From agreement to points. The curves are fixed; they follow what teachers gave at each level of
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

/**
 * Share of the points of a question worth several marks, where part of the idea earns part of them: milder than for one
 * that is right or wrong, above all to an answer that says more. By the same sets' partly credited answers (`docs/grading.md`).
 */
export function shareForMarks(raw: number, length: number): number {
  const said = Math.min(1.2, Math.max(-1.8, Math.log(Math.max(1, length) / 6)))
  const odds = -1.1 + 2.4 * Math.sqrt(Math.max(0, raw)) + 1.6 * raw + 0.7 * said
  return Math.min(1, (1 + 0.08 * raw) / (1 + Math.exp(-odds)))
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
