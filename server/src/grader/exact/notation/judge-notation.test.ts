import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { judgeNotation } from './judge-notation.ts'

const share = (prompt: string, key: string, answer: string) => judgeNotation(prompt, [key], answer)?.share
const number = fc.integer({ min: -99, max: 99 })

describe('what has a notation of its own', () => {
  it('is the same in any spelling, and never in another order or with another number', () => {
    fc.assert(
      fc.property(number, number, fc.integer({ min: 1, max: 9 }), (x, y, by) => {
        const key = `(${x}, ${y})`
        for (const same of [
          `(${x},${y})`,
          `( ${x} ; ${y} )`,
          `x = ${x}, y = ${y}`,
          `y = ${y} and x = ${x}`,
          `at (${x}, ${y})`,
        ])
          expect(share('Where do they cross?', key, same), `${key} <- ${same}`).toBe(1)
        for (const other of [
          `(${x + by}, ${y})`,
          `(${x}, ${y - by})`,
          `(${x}, ${y}, ${by})`,
          x === y ? `(${x})` : `(${y}, ${x})`,
        ])
          expect(share('Where do they cross?', key, other), `${key} <- ${other}`).toBe(0)
      }),
    )
  })

  it('tells open from closed, and one side from the other', () => {
    fc.assert(
      fc.property(number, fc.integer({ min: 1, max: 50 }), (from, length) => {
        const to = from + length
        const judged = (answer: string) => share('State the domain.', `[${from}, ${to})`, answer)
        for (const same of [`[${from}; ${to})`, `[${from}, ${to}[`, `${from} ≤ x < ${to}`, `${to} > x >= ${from}`])
          expect(judged(same), same).toBe(1)
        for (const other of [
          `(${from}, ${to})`,
          `[${from}, ${to}]`,
          `${from} < x < ${to}`,
          `[${from}, ${to + 1})`,
          `x < ${to}`,
        ])
          expect(judged(other), other).toBe(0)
      }),
    )
  })

  it('does not turn a ratio round', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 51, max: 99 }), (a, b) => {
        expect(share('What is the ratio?', `${a}:${b}`, `${a} to ${b}`)).toBe(1)
        expect(share('What is the ratio?', `${a}:${b}`, `${b}:${a}`)).toBe(0)
      }),
    )
  })

  it('knows a date in any order of its parts, and no other', () => {
    const months = ['January', 'May', 'August', 'December']
    fc.assert(
      fc.property(
        fc.integer({ min: 13, max: 28 }),
        fc.constantFrom(...months),
        fc.integer({ min: 1000, max: 1999 }),
        (day, month, year) => {
          const key = `${day} ${month} ${year}`
          const judged = (answer: string) => share('When was it?', key, answer)
          const index = String(
            ['January', '', '', '', 'May', '', '', 'August', '', '', '', 'December'].indexOf(month) + 1,
          ).padStart(2, '0')
          for (const same of [
            `${month} ${day}, ${year}`,
            `${day}/${index}/${year}`,
            `${index}/${day}/${year}`,
            `${year}-${index}-${day}`,
            `the ${day}th of ${month} ${year}`,
          ])
            expect(judged(same), `${key} <- ${same}`).toBe(1)
          for (const other of [
            `${day - 1} ${month} ${year}`,
            `${day} ${month} ${year + 1}`,
            `${day} June ${year}`,
            `not ${key}`,
            `before ${key}`,
          ])
            expect(judged(other), `${key} <- ${other}`).toBe(0)
        },
      ),
    )
  })

  it.each([
    ['Convert 10 to binary.', '1010', '0101', 0],
    ['Convert 255 to hexadecimal.', 'FF', '0xff', 1],
    ['Convert the binary number 1010 to decimal.', '10', '10', undefined],
    ['What is the time complexity?', 'O(n log n)', 'O(n lg n)', 1],
    ['What is the time complexity?', 'O(n log n)', 'O(n)', 0],
    ['At what time does it start?', '9:05 pm', '21.05', 1],
    ['At what time does it start?', '9:05 pm', '9:05 am', 0],
    ['What is the capital?', 'Paris', 'Paris', undefined],
  ])('%s %s, answered %s: %s', (prompt, key, answer, earned) => {
    expect(share(prompt, key, answer)).toBe(earned)
  })
})
