import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { adjustScore, daysLate, describeStep, factorToFull, type Lateness, type ScoreRules } from './adjust-score.ts'
import { exactPercent, roundPoints } from './points.ts'

const HOUR = 3_600_000
/** In hundredths. */
const graded = fc.integer({ min: 0, max: 3700 }).map((hundredths) => ({ given: hundredths / 100, of: 37 }))
const adjustment = fc.oneof(
  fc.constant(null),
  fc.double({ min: -100, max: 100, noNaN: true }).map((points_percent) => ({ kind: 'shift' as const, points_percent })),
  fc.double({ min: 0.01, max: 1000, noNaN: true }).map((factor) => ({ kind: 'scale' as const, factor })),
)
const late_penalty = fc.oneof(
  fc.constant(null),
  fc.record({
    percent_per_day: fc.double({ min: 0.1, max: 100, noNaN: true }),
    max_percent: fc.double({ min: 0.1, max: 100, noNaN: true }),
    grace_minutes: fc.integer({ min: 0, max: 10_080 }),
  }),
)
const rules: fc.Arbitrary<ScoreRules> = fc.record({ adjustment, late_penalty })
const DUE = new Date('2026-10-11T18:54:00Z')
const lateBy = (ms: number, time_zone = 'Europe/Berlin'): Lateness => ({
  ...{ due_at: DUE, time_zone },
  at: new Date(DUE.getTime() + ms),
})
const lateMs = fc.integer({ min: 0, max: 60 * 24 * HOUR })
const lateness = lateMs.map((ms) => lateBy(ms))

describe('the score that counts', () => {
  it('stays within 0 and the full points, and its steps lead from the points as graded to it', () => {
    fc.assert(
      fc.property(graded, rules, lateness, (raw, of, late) => {
        const { raw_points, points, steps } = adjustScore(raw, of, late)
        expect(raw_points).toEqual(raw)
        expect(points.given).toBeGreaterThanOrEqual(0)
        expect(points.given).toBeLessThanOrEqual(37)
        expect([raw.given, ...steps.map(({ to }) => to)]).toEqual([...steps.map(({ from }) => from), points.given])
        expect(steps.every(({ from, to }) => from !== to && to === roundPoints(to))).toBe(true)
      }),
    )
  })

  it('is the score as graded without rules and for a paper in time', () => {
    fc.assert(
      fc.property(graded, late_penalty, lateness, (raw, penalty, late) => {
        expect(adjustScore(raw, { adjustment: null, late_penalty: null }, late).points).toEqual(raw)
        expect(adjustScore(raw, { adjustment: null, late_penalty: penalty }, null).points).toEqual(raw)
      }),
    )
  })

  it('never turns the order of two papers around, and never grows by being later', () => {
    fc.assert(
      fc.property(graded, graded, rules, lateMs, lateMs, (a, b, of, one, other) => {
        const [low, high] = a.given < b.given ? [a, b] : [b, a]
        expect(adjustScore(low, of, lateBy(one)).points.given).toBeLessThanOrEqual(
          adjustScore(high, of, lateBy(one)).points.given,
        )
        const [sooner, later] = [Math.min(one, other), Math.max(one, other)]
        expect(adjustScore(a, of, lateBy(later)).points.given).toBeLessThanOrEqual(
          adjustScore(a, of, lateBy(sooner)).points.given,
        )
      }),
    )
  })

  it('takes no more for being late than the most there is', () => {
    fc.assert(
      fc.property(graded, rules, lateness, (raw, of, late) => {
        const step = adjustScore(raw, of, late).steps.find(({ kind }) => kind === 'late')
        if (step) expect(step.from - step.to).toBeLessThanOrEqual((of.late_penalty?.max_percent ?? 0) * 0.37 + 0.006)
      }),
    )
  })

  it('is shifted or scaled first and stops at 100, then loses points of the full score for each day begun', () => {
    const late = { percent_per_day: 10, max_percent: 25, grace_minutes: 30 }
    const shift = { kind: 'shift' as const, points_percent: 5 }
    const of = (raw: number, hours: number) =>
      adjustScore({ given: raw, of: 200 }, { adjustment: shift, late_penalty: late }, lateBy(hours * HOUR))
    expect(of(196.25, 25)).toEqual({
      raw_points: { given: 196.25, of: 200 },
      points: { given: 160, of: 200 },
      raw_score: 98.1,
      score: 80,
      steps: [
        { kind: 'shift', points_percent: 5, from: 196.25, to: 200, limited: true },
        { kind: 'late', days: 2, from: 200, to: 160 },
      ],
    })
    const given = [0.5, 0.6, 24.5, 240].map((hours) => of(100.25, hours).points.given)
    expect(given).toEqual([110.25, 90.25, 90.25, 60.25])
    expect(of(20, 240).points.given).toBe(0)
  })

  it('of the best paper is full once scaled to it', () => {
    fc.assert(
      fc.property(graded, (best) => {
        const factor = factorToFull(exactPercent(best))
        if (factor === null) return
        expect(
          adjustScore(best, { adjustment: { kind: 'scale', factor }, late_penalty: null }, null).points.given,
        ).toBe(37)
      }),
    )
    expect([factorToFull(null), factorToFull(0), factorToFull(100)]).toEqual([null, null, null])
  })

  it('of bonus questions counts as far as the teacher allows, and is not cut by a shift', () => {
    const of = (bonus_limit: number | null) => {
      const adjustment = { kind: 'shift' as const, points_percent: 5 }
      return adjustScore({ given: 39.5, of: 37 }, { adjustment, late_penalty: null, bonus_limit }, null)
    }
    expect([null, 3, 1, 0].map((limit) => of(limit).points.given)).toEqual([39.5, 39.5, 38, 37])
    expect(of(1).steps.map(describeStep)).toEqual(['At most 1 point beyond the total: −1.5 points'])
  })
})

it('counts days late from the end of the grace period', () => {
  const days = (hours: number) => daysLate(lateBy(hours * HOUR), { grace_minutes: 60 })
  expect([0, 1, 1.02, 25, 25.02, 49].map(days)).toEqual([0, 0, 1, 1, 2, 2])
})

it('counts calendar days of the course’s time zone, also where its clocks change', () => {
  const days = (zone: string, at: string, due = '2026-10-11T20:54:00+02:00') =>
    daysLate({ due_at: new Date(due), at: new Date(at), time_zone: zone }, { grace_minutes: 0 })
  const [inTime, late] = ['2026-11-08T20:54:59+01:00', '2026-11-08T20:55:00+01:00']
  expect([days('Europe/Berlin', inTime), days('Europe/Berlin', late), days('UTC', inTime)]).toEqual([28, 29, 29])
  const spring = (at: string) => days('America/New_York', at, '2027-03-13T23:59:00-05:00')
  expect([spring('2027-03-14T23:59:59-04:00'), spring('2027-03-15T00:00:00-04:00')]).toEqual([1, 2])
})

it('says each step in words, and what was cut where something was', () => {
  expect(describeStep({ kind: 'late', days: 1, from: 7.2, to: 6.2 })).toBe('Late by 1 day: −1 point')
  expect(describeStep({ kind: 'late', days: 3, from: 12.5, to: 0 })).toBe('Late by 3 days: −12.5 points')
  const words = (given: number, adjustment: ScoreRules['adjustment']) =>
    adjustScore({ given, of: 37 }, { adjustment, late_penalty: null }, null).steps.map(describeStep)
  expect(words(25.25, { kind: 'scale', factor: 1.123456 })).toEqual(['All scores × 1.1235: +3.12 points'])
  expect(words(25.25, { kind: 'shift', points_percent: -3.33 })).toEqual(['All scores −3.33 %: −1.23 points'])
  expect(words(1, { kind: 'shift', points_percent: -5 })).toEqual(['All scores −5 %, down to 0: −1 point'])
  expect(words(36, { kind: 'shift', points_percent: 5 })).toEqual(['All scores +5 %, up to full points: +1 point'])
})
