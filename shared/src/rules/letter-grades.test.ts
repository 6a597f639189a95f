import fc from 'fast-check'
import { expect, it } from 'vitest'
import { gradeBand, letterGrade } from './letter-grades.ts'

/** With where each starts, as the specification lists them. */
const letters = [
  ['A+', 97],
  ['A', 93],
  ['A-', 90],
  ['B+', 87],
  ['B', 83],
  ['B-', 80],
  ['C+', 77],
  ['C', 73],
  ['C-', 70],
  ['D+', 67],
  ['D', 65],
  ['F', 0],
] as const
const rank = (letter: string) => letters.findIndex(([known]) => known === letter)

const percent = fc.oneof(
  fc.double({ min: 0, max: 100, noNaN: true }),
  fc.constantFrom(...letters.map(([, from]) => from)),
  fc.constantFrom(...letters.map(([, from]) => from)).map((from) => Math.max(0, from - 1e-9)),
)

it('gives every score one letter, the best of those it has reached', () => {
  fc.assert(
    fc.property(percent, (score) => {
      const reached = letters.filter(([, from]) => Math.round(score * 10) / 10 >= from)
      expect(letterGrade(score)).toBe(reached[0]?.[0])
    }),
  )
})

it('never gives the better score the worse letter or band', () => {
  const bands = ['excellent', 'good', 'satisfactory', 'needsWork']
  fc.assert(
    fc.property(percent, percent, (one, other) => {
      const [low, high] = [Math.min(one, other), Math.max(one, other)]
      expect(rank(letterGrade(high))).toBeLessThanOrEqual(rank(letterGrade(low)))
      expect(bands.indexOf(gradeBand(high))).toBeLessThanOrEqual(bands.indexOf(gradeBand(low)))
    }),
  )
})

it('colours a letter by its first character down to C, and below that as work needed', () => {
  const bandOf = { A: 'excellent', B: 'good', C: 'satisfactory', D: 'needsWork', F: 'needsWork' } as const
  fc.assert(
    fc.property(percent, (score) => {
      const first = letterGrade(score)[0]
      expect(Object.entries(bandOf).find(([letter]) => letter === first)?.[1]).toBe(gradeBand(score))
    }),
  )
})

it('gives no score N/A', () => {
  expect([letterGrade(null), letterGrade(undefined)]).toEqual(['N/A', 'N/A'])
})
