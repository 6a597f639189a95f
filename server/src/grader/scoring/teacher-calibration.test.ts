import { describe, expect, it } from 'vitest'
import { cholesky, solve, TeacherCalibration } from './teacher-calibration.ts'

const alike = () => 0
const error = 0.35
const decisions = (...residuals: number[]) =>
  residuals.map((residual, index) => ({ index, predicted: 0.5, share: 0.5 + residual, error }))

describe('a teacher’s scale', () => {
  it('shifts the others towards the teacher, the more decisions there are', () => {
    const shiftAfter = (k: number) =>
      new TeacherCalibration(decisions(...Array<number>(k).fill(0.3)), alike).calibrate({
        index: 99,
        share: 0.5,
        error,
      }).share - 0.5
    // Answers that are not alike share only the question.
    expect(shiftAfter(1)).toBeCloseTo((0.3 * 0.5) / (0.5 + 0.7 + 0.8))
    expect(shiftAfter(3)).toBeGreaterThan(shiftAfter(1))
    expect(shiftAfter(50)).toBeGreaterThan(0.25)
    expect(shiftAfter(50)).toBeLessThan(0.3)
  })

  it('moves the answer most that is most like one decided on', () => {
    const near = (a: number, b: number) => (Math.max(a, b) === 7 ? 0.9 : 0)
    const scale = new TeacherCalibration(decisions(0.4), near)
    expect(scale.calibrate({ index: 7, share: 0.5, error }).share).toBeGreaterThan(
      scale.calibrate({ index: 8, share: 0.5, error }).share + 0.05,
    )
    expect(scale.calibrate({ index: 7, share: 0.5, error }).doubt).toBeLessThan(
      scale.calibrate({ index: 8, share: 0.5, error }).doubt,
    )
  })

  it('moves a sure answer less than a doubtful one, and points of several less than a question’s only one', () => {
    const scale = new TeacherCalibration(decisions(0.4), alike)
    const shiftOf = (of: TeacherCalibration, doubt: number) =>
      of.calibrate({ index: 9, share: 0.5, error: doubt }).share - 0.5
    expect(shiftOf(scale, 0.1)).toBeLessThan(0.5 * shiftOf(scale, error))
    expect(shiftOf(new TeacherCalibration(decisions(0.4), alike, true), error)).toBeLessThan(
      0.6 * shiftOf(scale, error),
    )
  })

  it('reshapes: who gives more to good answers and less to poor ones pulls them apart', () => {
    const steep = [0, 1, 2, 3, 4, 5].map((index) => ({
      index,
      predicted: index < 3 ? 0.2 : 0.8,
      share: index < 3 ? 0 : 1,
      error,
    }))
    const scale = new TeacherCalibration(steep, alike)
    expect(scale.calibrate({ index: 9, share: 0.25, error }).share).toBeLessThan(0.25)
    expect(scale.calibrate({ index: 9, share: 0.75, error }).share).toBeGreaterThan(0.75)
  })

  it('stays between nothing and everything', () => {
    const scale = new TeacherCalibration(decisions(0.5, 0.5, 0.5, 0.5, 0.5), () => 1)
    expect(scale.calibrate({ index: 9, share: 0.9, error }).share).toBe(1)
  })
})

describe('the Cholesky factor', () => {
  it('solves what it was made of', () => {
    const matrix = [Float64Array.of(4, 2, 0.6), Float64Array.of(2, 5, 1), Float64Array.of(0.6, 1, 3)]
    const x = solve(cholesky(matrix), Float64Array.of(1, 2, 3))
    for (const [i, right] of [1, 2, 3].entries())
      expect(matrix[i]?.reduce((sum, value, j) => sum + value * (x[j] ?? 0), 0)).toBeCloseTo(right)
  })
})
