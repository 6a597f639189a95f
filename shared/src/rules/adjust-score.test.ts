import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { adjustScore, daysLate, describeStep, factorToFull, type ScoreRules } from './adjust-score.ts'

const HOUR = 3_600_000
const percent = fc.double({ min: 0, max: 100, noNaN: true })
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
const lateMs = fc.integer({ min: 0, max: 60 * 24 * HOUR })

describe('the score that counts', () => {
  it('stays within 0 to 100, and its steps lead from the score as graded to it', () => {
    fc.assert(
      fc.property(percent, rules, lateMs, (raw, of, late) => {
        const { raw_score, score, steps } = adjustScore(raw, of, late)
        expect(raw_score).toBe(raw)
        expect(score).toBeGreaterThanOrEqual(0)
        expect(score).toBeLessThanOrEqual(100)
        expect([raw, ...steps.map(({ to }) => to)]).toEqual([...steps.map(({ from }) => from), score])
        expect(steps.every(({ from, to }) => from !== to)).toBe(true)
      }),
    )
  })

  it('is the score as graded, to the last digit, without rules and for a paper in time', () => {
    fc.assert(
      fc.property(percent, late_penalty, lateMs, (raw, penalty, late) => {
        expect(adjustScore(raw, { adjustment: null, late_penalty: null }, late).score).toBe(raw)
        expect(adjustScore(raw, { adjustment: null, late_penalty: penalty }, 0).score).toBe(raw)
      }),
    )
  })

  it('never turns the order of two papers around, and never grows by being later', () => {
    fc.assert(
      fc.property(percent, percent, rules, lateMs, lateMs, (a, b, of, one, other) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)]
        expect(adjustScore(low, of, one).score).toBeLessThanOrEqual(adjustScore(high, of, one).score + 1e-4)
        const [sooner, later] = [Math.min(one, other), Math.max(one, other)]
        expect(adjustScore(a, of, later).score).toBeLessThanOrEqual(adjustScore(a, of, sooner).score)
      }),
    )
  })

  it('takes no more for being late than the most there is', () => {
    fc.assert(
      fc.property(percent, rules, lateMs, (raw, of, late) => {
        const step = adjustScore(raw, of, late).steps.find(({ kind }) => kind === 'late')
        if (step) expect(step.from - step.to).toBeLessThanOrEqual((of.late_penalty?.max_percent ?? 0) + 1e-3)
      }),
    )
  })

  it('is shifted or scaled first and stops at 100, then loses points of the full score for each day begun', () => {
    const late = { percent_per_day: 10, max_percent: 25, grace_minutes: 30 }
    const shift = { kind: 'shift' as const, points_percent: 5 }
    const of = (raw: number, hours: number) => adjustScore(raw, { adjustment: shift, late_penalty: late }, hours * HOUR)
    expect(of(98, 25)).toEqual({
      raw_score: 98,
      score: 80,
      steps: [
        { kind: 'shift', points_percent: 5, from: 98, to: 100 },
        { kind: 'late', days: 2, from: 100, to: 80 },
      ],
    })
    expect(of(50, 0.5).score).toBe(55)
    expect(of(50, 0.6).score).toBe(45)
    expect(of(50, 24.5).score).toBe(45)
    expect(of(50, 240).score).toBe(30)
    expect(of(10, 240).score).toBe(0)
  })

  it('of the best paper is 100 once scaled to it', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.2, max: 99.9, noNaN: true }), (best) => {
        const factor = factorToFull(best) ?? 0
        expect(adjustScore(best, { adjustment: { kind: 'scale', factor }, late_penalty: null }, 0).score).toBe(100)
      }),
    )
    expect([factorToFull(null), factorToFull(0), factorToFull(100)]).toEqual([null, null, null])
  })
})

it('counts days late from the end of the grace period', () => {
  const days = (hours: number) => daysLate(hours * HOUR, { grace_minutes: 60 })
  expect([0, 1, 1.01, 25, 25.01, 49].map(days)).toEqual([0, 0, 1, 1, 2, 2])
})

it('says each step in words', () => {
  expect(describeStep({ kind: 'late', days: 1, from: 72, to: 62 })).toBe('Late by 1 day: −10')
  expect(describeStep({ kind: 'late', days: 3, from: 12.5, to: 0 })).toBe('Late by 3 days: −12.5')
  expect(describeStep({ kind: 'scale', factor: 1.123456, from: 50, to: 56.17 })).toBe('All scores × 1.1235: +6.17')
  expect(describeStep({ kind: 'shift', points_percent: 5, from: 50, to: 55 })).toBe('All scores +5')
  expect(describeStep({ kind: 'shift', points_percent: -5, from: 3, to: 0 })).toBe('All scores −5, within 0 to 100: −3')
  // Of 90.12 less 3.33 some binary residue is left.
  expect(describeStep({ kind: 'shift', points_percent: -3.33, from: 90.12, to: 86.79 })).toBe('All scores −3.33')
})
