import { z } from 'zod'
import { isPast } from './dates.ts'
import { formatPercent, Points, percentOf, pointsInWords, roundPoints } from './points.ts'

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

const ofStep = { from: z.number(), to: z.number() }

export const AdjustmentStep = z.discriminatedUnion('kind', [
  /** `most` points beyond the total count. */
  z.object({ kind: z.literal('bonus'), most: z.number(), ...ofStep }),
  z.object({ kind: z.literal('shift'), points_percent: z.number(), limited: z.literal(true).optional(), ...ofStep }),
  z.object({ kind: z.literal('scale'), factor: z.number(), limited: z.literal(true).optional(), ...ofStep }),
  /** Begun after the grace period. */
  z.object({ kind: z.literal('late'), days: z.number().int(), ...ofStep }),
  /** For one member of a group. */
  z.object({ kind: z.literal('member'), reason: z.string(), limited: z.literal(true).optional(), ...ofStep }),
])
export type AdjustmentStep = z.infer<typeof AdjustmentStep>

/** Scores are the points in percent. */
export const AdjustedScore = z.object({
  raw_points: Points,
  points: Points,
  raw_score: z.number(),
  score: z.number(),
  steps: z.array(AdjustmentStep),
})
export type AdjustedScore = z.infer<typeof AdjustedScore>

export interface ScoreRules {
  adjustment: ScoreAdjustment | null
  late_penalty: LatePenalty | null
  /** Points that bonus questions can add beyond the total. Absent or null: all. */
  bonus_limit?: number | null | undefined
}

const DAY_MS = 24 * 60 * 60 * 1000
const MINUTE_MS = 60 * 1000

/** `time_zone`: an IANA name. */
export interface Lateness {
  due_at: Date
  at: Date
  time_zone: string
}

/** Days begun since due date and grace, 0 within them. Each ends at the same time of day, also as clocks change. */
export function daysLate(
  { due_at, at, time_zone }: Lateness,
  { grace_minutes }: Pick<LatePenalty, 'grace_minutes'>,
): number {
  const end = new Date(due_at.getTime() + grace_minutes * MINUTE_MS)
  // Where clocks change, calendar days are up to an hour longer or shorter together.
  let days = Math.max(0, Math.floor((at.getTime() - end.getTime()) / DAY_MS) - 1)
  while (isPast(addDays(end, days, time_zone), at)) days += 1
  return days
}

function addDays(moment: Date, days: number, timeZone: string): Date {
  const then = new Date(moment.getTime() + days * DAY_MS)
  return new Date(then.getTime() - clockOffset(then, timeZone) + clockOffset(moment, timeZone))
}

/** Making one costs more than all of its uses. */
const formats = new Map<string, Intl.DateTimeFormat>()

/** Ahead of UTC, in ms. */
function clockOffset(moment: Date, timeZone: string): number {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
  formats.set(timeZone, format)
  const name = format.formatToParts(moment).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign, hours = 0, minutes = 0] = /([+-])(\d\d):(\d\d)/.exec(name) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * MINUTE_MS
}

/** Stops at full points, or what bonus questions gave beyond, and at 0. */
export function shiftOrScale({ given, of }: Points, adjustment: ScoreAdjustment) {
  const shift = adjustment.kind === 'shift'
  const asked = roundPoints(shift ? given + (adjustment.points_percent * of) / 100 : given * adjustment.factor)
  const to = Math.max(0, Math.min(asked, Math.max(of, given)))
  return { to, limited: asked !== to }
}

/**
 * Order: bonus limit, shift or scale, penalty in percentage points of the full score, down to 0, then the exception for
 * a member of a group, in points. Steps that change nothing are left out. `late`: null for in time, waived, or unknown.
 */
export function adjustScore(
  raw: Points,
  rules: ScoreRules,
  late: Lateness | null,
  exception: { points: number; reason: string } | null = null,
): AdjustedScore {
  const { adjustment, late_penalty, bonus_limit = null } = rules
  const { of } = raw
  const steps: AdjustmentStep[] = []
  let { given } = raw
  if (bonus_limit !== null)
    add({ kind: 'bonus', most: bonus_limit, from: given, to: Math.min(given, roundPoints(of + bonus_limit)) })
  if (adjustment) {
    const { to, limited } = shiftOrScale({ given, of }, adjustment)
    add({ ...adjustment, from: given, to, ...(limited ? { limited } : {}) })
  }
  const days = late_penalty && late ? daysLate(late, late_penalty) : 0
  if (late_penalty && days > 0) {
    const percent = Math.min(days * late_penalty.percent_per_day, late_penalty.max_percent)
    add({ kind: 'late', days, from: given, to: Math.max(0, roundPoints(given - (percent * of) / 100)) })
  }
  if (exception) {
    const asked = roundPoints(given + exception.points)
    const to = Math.max(0, Math.min(asked, Math.max(of, given)))
    const { reason } = exception
    add({ kind: 'member', reason, from: given, to, ...(asked === to ? {} : { limited: true }) })
  }
  const points = { given, of }
  return { raw_points: raw, points, raw_score: percentOf(raw), score: percentOf(points), steps }

  function add(step: AdjustmentStep): void {
    if (step.to === step.from) return
    steps.push(step)
    given = step.to
  }
}

/** Takes the best paper to 100; null where nothing is to scale. @param best percent */
export const factorToFull = (best: number | null): number | null =>
  best === null || best <= 0.1 || best >= 100 ? null : 100 / best

const number = (value: number, digits: number) => String(Number(Math.abs(value).toFixed(digits)))
const signed = (value: number) => `${value < 0 ? '−' : '+'}${number(value, 2)}`
const pointsOf = (value: number) => (Math.abs(value) === 1 ? 'point' : 'points')

export function describeStep(step: AdjustmentStep): string {
  const points = roundPoints(step.to - step.from)
  return `${causeOf(step)}: ${signed(points)} ${pointsOf(points)}`
}

export const describeAdjusted = ({ raw_points, raw_score, steps }: AdjustedScore): string[] => [
  `As graded: ${pointsInWords(raw_points)} (${formatPercent(raw_score)})`,
  ...steps.map(describeStep),
]

function causeOf(step: AdjustmentStep): string {
  if (step.kind === 'bonus') return `At most ${step.most} ${pointsOf(step.most)} beyond the total`
  if (step.kind === 'late') return `Late by ${step.days} ${step.days === 1 ? 'day' : 'days'}`
  if (step.kind === 'member') return `For this student alone: ${step.reason}`
  const asked = step.kind === 'scale' ? `× ${number(step.factor, 4)}` : `${signed(step.points_percent)} %`
  const end = step.to === 0 ? 'down to 0' : 'up to full points'
  return step.limited ? `All scores ${asked}, ${end}` : `All scores ${asked}`
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
