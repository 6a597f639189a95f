import { describe, expect, it } from 'vitest'
import { readQuantity } from './quantity.ts'

describe('numbers in keys', () => {
  it.each([
    ['42', 42, ''],
    ['x = 3.5 m/s', 3.5, 'm/s'],
    ['3 × 10^8 m/s', 3e8, 'm/s'],
    ['3.0 x 10⁸ m s⁻¹', 3e8, 'm s^-1'],
    ['6.02e23', 6.02e23, ''],
    ['1,000 g', 1000, 'g'],
    ['12,5 m', 12.5, 'm'],
    ['3/4', 0.75, ''],
    ['−7 °C', -7, '°C'],
    ['$5.50', 5.5, '$'],
  ])('reads %s', (text, value, unit) => {
    const read = readQuantity(text)
    expect(read?.unit).toBe(unit)
    expect(read?.value).toBeCloseTo(value, 9 - Math.ceil(Math.log10(Math.abs(value) + 1)))
  })

  it.each(['a gap', '3 bulbs in the circuit', 'between 1914 and 1918 many died', '', 'x'])(
    'takes “%s” for text',
    (text) => {
      expect(readQuantity(text)).toBeNull()
    },
  )

  it('takes tolerances as they are written, and otherwise the last decimal place', () => {
    const tolerance = (text: string) => readQuantity(text)?.tolerance
    expect(tolerance('9.8 ± 0.1 m/s²')).toBeCloseTo(0.1)
    expect(tolerance('10 ± 5 %')).toBeCloseTo(0.5)
    expect(tolerance('9.7 to 9.9')).toBeCloseTo(0.1)
    expect(tolerance('3.14')).toBeCloseTo(0.005)
    expect(tolerance('1945')).toBeLessThan(0.001)
  })
})
