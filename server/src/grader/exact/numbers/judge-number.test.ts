import { describe, expect, it } from 'vitest'
import { judgeNumber } from './judge-number.ts'

describe('numbers', () => {
  it.each([
    ['80 km/h', 1],
    ['v = 120 / 1.5 = 80 km/h', 1],
    ['The answer is 80 km per hour', 1],
    ['22.2 m/s', 1],
    ['80', 0.75],
    ['80 kg', 0.5],
    ['90 km/h', 0],
  ])('“%s” earns %d', (answer, share) => {
    expect(judgeNumber('How fast is it?', ['80 km/h'], answer).share).toBe(share)
  })

  it('does not want a unit the question already names', () => {
    expect(judgeNumber('How fast is it in km/h?', ['80 km/h'], '80').share).toBe(1)
  })

  it('is unclear where right and wrong numbers are side by side', () => {
    const judged = judgeNumber('How fast?', ['80 km/h'], '80 or 60 or 40 km/h')
    expect(judged.remarks).toEqual(['unclear'])
    expect(judged.confidence).toBeLessThan(0.6)
  })

  it.each([
    ['0.25', '25 %', 1],
    ['25 %', '0.25', 1],
    ['1.5', '1 1/2', 1],
    ['1.5', '1½', 1],
    ['1/2', '\\frac{1}{2}', 1],
    ['0.5', '½', 1],
    ['3 × 10^8 m/s', '3 \\times 10^{8} m/s', 1],
    ['3 × 10^8 m/s', '300000 km/s', 1],
    ['6.02e23', '6.02 × 10²³', 1],
    ['9.7 to 9.9', '9.8', 1],
    ['9.7 to 9.9', '9.6', 0],
    ['-4', '−4', 1],
    ['-4', '4', 0],
  ])('key %s, answer “%s”: %f', (key, answer, share) => {
    expect(judgeNumber('How much?', [key], answer).share).toBe(share)
  })

  it('takes any of the accepted answers', () => {
    expect(judgeNumber('How fast?', ['12.5 m/s', '45 km/h'], '45 km/h').share).toBe(1)
  })
})
