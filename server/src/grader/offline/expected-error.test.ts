import { describe, expect, it } from 'vitest'
import { errorOfMarks, errorOfOneMark } from './judge-text.ts'

describe('the expected error of an answer in words', () => {
  const shares = Array.from({ length: 21 }, (_, i) => i / 20)

  it('is largest between nothing and all, and never small enough to be sure', () => {
    for (const error of [(share: number) => errorOfOneMark(share, 6), errorOfMarks]) {
      const errors = shares.map(error)
      expect(Math.max(...errors)).toBe(Math.max(...errors.slice(7, 14)))
      expect(Math.min(...errors)).toBeGreaterThan(0.1)
      expect(errors[10]).toBeGreaterThan(2 * (errors[20] ?? 1))
    }
  })

  it('is larger for a long answer without the key’s words than for a short one', () => {
    expect(errorOfOneMark(0, 30)).toBeGreaterThan(errorOfOneMark(0, 3) + 0.1)
    expect(errorOfOneMark(1, 30)).toBeLessThanOrEqual(errorOfOneMark(1, 3))
  })
})
