import { expect, it } from 'vitest'
import { findShifts, SIDE, spectrumOf } from './fourier.ts'

it('finds where one picture lies on another, not where it cannot, as well as that would fit', () => {
  const picture = (...dots: [x: number, y: number, value: number][]) => {
    const all = new Float32Array(SIDE * SIDE)
    for (const [x, y, value] of dots) all[y * SIDE + x] = value
    return spectrumOf(all)
  }
  const fixed = picture([13, 11, 1], [17, 12, 1], [40, 10, 3], [44, 11, 3])
  const moved = picture([10, 10, 1], [14, 11, 1])
  expect(findShifts(fixed, moved, 1, () => true)).toMatchObject([{ x: 30, y: 0 }])
  expect(findShifts(fixed, moved, 1, (x) => x < 8)).toMatchObject([{ x: 3, y: 1 }])
})
