import { z } from 'zod'

// How a score as graded becomes the score that counts. All scores are percent, 0 to 100.

/** Percentage points of the full score for each day begun after due date and grace, at most `max_percent`. */
export const LatePenalty = z.object({
  percent_per_day: z
    .number({ error: 'Enter the percent for each day' })
    .gt(0, 'Enter more than 0 % for each day')
    .max(100, 'Enter at most 100 % for each day'),
  max_percent: z
    .number({ error: 'Enter the most that is taken' })
    .gt(0, 'Enter more than 0 % as the most that is taken')
    .max(100, 'At most 100 % can be taken'),
  grace_minutes: z
    .int({ error: 'Enter the grace period in whole minutes' })
    .min(0, 'Enter the grace period in minutes, 0 for none')
    .max(10_080, 'The grace period can be a week (10080 minutes) at most'),
})
export type LatePenalty = z.infer<typeof LatePenalty>

const PointsPercent = z
  .number({ error: 'Enter the percentage points to add' })
  .min(-100, 'Enter a number from −100 to 100')
  .max(100, 'Enter a number from −100 to 100')
  .refine((points) => points !== 0, 'Enter a number other than 0')

const Factor = z
  .number({ error: 'Enter the factor to multiply by' })
  .gt(0, 'Enter a factor above 0')
  .max(1000, 'Enter a factor of 1000 at most')
  .refine((factor) => factor !== 1, 'Enter a factor other than 1')

export const ScoreAdjustment = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('shift'), points_percent: PointsPercent }),
  z.object({ kind: z.literal('scale'), factor: Factor }),
])
export type ScoreAdjustment = z.infer<typeof ScoreAdjustment>

/** One step from the score as graded to the one that counts; each starts where the one before ends. */
export const AdjustmentStep = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('shift'), points_percent: z.number(), from: z.number(), to: z.number() }),
  z.object({ kind: z.literal('scale'), factor: z.number(), from: z.number(), to: z.number() }),
  /** `days` begun after the grace period. */
  z.object({ kind: z.literal('late'), days: z.number().int(), from: z.number(), to: z.number() }),
])
export type AdjustmentStep = z.infer<typeof AdjustmentStep>

export const AdjustedScore = z.object({
  raw_score: z.number(),
  score: z.number(),
  steps: z.array(AdjustmentStep),
})
export type AdjustedScore = z.infer<typeof AdjustedScore>

export interface ScoreRules {
  adjustment: ScoreAdjustment | null
  late_penalty: LatePenalty | null
}

const DAY_MS = 24 * 60 * 60 * 1000
const MINUTE_MS = 60 * 1000

/** Keeps 100 / 87 × 87 at 100 and 90.1 − 10 at 80.1. */
export const withoutNoise = (score: number) => Math.round(score * 10_000) / 10_000
const withinScale = (score: number) => Math.min(100, Math.max(0, withoutNoise(score)))

/** Days begun since due date and grace: 0 within them, 1 for a minute more. @param lateMs since the due date */
export function daysLate(lateMs: number, { grace_minutes }: Pick<LatePenalty, 'grace_minutes'>): number {
  return Math.max(0, Math.ceil((lateMs - grace_minutes * MINUTE_MS) / DAY_MS))
}

/**
 * A shift or scale comes first, then the penalty in percentage points of the full score; the result stays in 0 to 100.
 * A step that changes nothing is left out. `raw`: percent; `lateMs`: since the due date, 0 for in time, waived, or
 * unknown.
 */
export function adjustScore(raw: number, { adjustment, late_penalty }: ScoreRules, lateMs: number): AdjustedScore {
  const steps: AdjustmentStep[] = []
  let score = raw
  if (adjustment?.kind === 'shift') {
    const { points_percent } = adjustment
    add({ kind: 'shift', points_percent, from: score, to: withinScale(score + points_percent) })
  } else if (adjustment) {
    add({ kind: 'scale', factor: adjustment.factor, from: score, to: withinScale(score * adjustment.factor) })
  }
  const days = late_penalty ? daysLate(lateMs, late_penalty) : 0
  if (late_penalty && days > 0) {
    const taken = Math.min(days * late_penalty.percent_per_day, late_penalty.max_percent)
    add({ kind: 'late', days, from: score, to: withinScale(score - taken) })
  }
  return { raw_score: raw, score, steps }

  function add(step: AdjustmentStep): void {
    if (step.to === step.from) return
    steps.push(step)
    score = step.to
  }
}

/** The factor that takes the best paper to 100; null where nothing is to scale. @param best percent */
export const factorToFull = (best: number | null): number | null =>
  best === null || best <= 0.1 || best >= 100 ? null : 100 / best

const number = (value: number, digits: number) => String(Number(Math.abs(value).toFixed(digits)))
const signed = (value: number) => `${value < 0 ? '−' : '+'}${number(value, 2)}`

/** A step in words: “Late by 2 days: −10”, in percentage points. */
export function describeStep(step: AdjustmentStep): string {
  const change = signed(step.to - step.from)
  if (step.kind === 'late') return `Late by ${step.days} ${step.days === 1 ? 'day' : 'days'}: ${change}`
  if (step.kind === 'scale') return `All scores × ${number(step.factor, 4)}: ${change}`
  const asked = signed(step.points_percent)
  return change === asked ? `All scores ${asked}` : `All scores ${asked}, within 0 to 100: ${change}`
}

export function describeAdjustment(adjustment: ScoreAdjustment): string {
  return adjustment.kind === 'shift'
    ? `${signed(adjustment.points_percent)} percentage points for every paper`
    : `× ${number(adjustment.factor, 4)} for every paper`
}

export function describeLatePenalty({ percent_per_day, max_percent, grace_minutes }: LatePenalty): string {
  const grace = grace_minutes > 0 ? `, after ${grace_minutes} minutes’ grace` : ''
  return `−${number(percent_per_day, 2)} percentage points for each day late, at most −${number(max_percent, 2)}${grace}`
}
