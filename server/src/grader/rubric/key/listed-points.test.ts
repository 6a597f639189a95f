import { describe, expect, it } from 'vitest'
import type { KeyLine } from './key-lines.ts'
import { readScheme } from './read-scheme.ts'

const prose = (...texts: string[]): KeyLine[] => texts.map((text) => ({ text, right: 300 }))
const expectedOf = (lines: KeyLine[], worth: number | null = null) =>
  readScheme(lines, worth).criteria.map(({ expected, points }) => [expected, points])

describe('points a key lists', () => {
  it('gives one mark for each bullet where there are as many as marks, and joins what wraps', () => {
    const cell: KeyLine[] = [
      { text: '• roots hold the soil together in heavy', right: 480, points: 2 },
      { text: 'rain', right: 90 },
      { text: '• less water runs off', right: 200 },
    ]
    const expected = [
      ['roots hold the soil together in heavy rain', 1],
      ['less water runs off', 1],
    ]
    expect(expectedOf(cell)).toEqual(expected)
    expect(expectedOf(prose('• roots hold the soil together in heavy', 'rain', '• less water runs off'), 2)).toEqual(
      expected,
    )
  })

  it('keeps the members of a pool whole that wrap, and leaves the foot of the table out', () => {
    const cell: KeyLine[] = [
      { text: 'Any two from:', right: 100, points: 2 },
      { text: '• wear goggles at all times, also when', right: 480 },
      { text: 'washing up', right: 130 },
      { text: '• tie back hair', right: 150 },
      { text: '• stand up', right: 120 },
      { text: 'Total', right: 90 },
    ]
    expect(readScheme(cell, 2).expected).toBe(
      'any two of: wear goggles at all times, also when washing up; tie back hair; stand up',
    )
  })

  it('takes “one mark for each” with more than enough below or behind it for a pool', () => {
    const list = prose('Award 1 point for each duty, up to 2:', 'to pay taxes', 'to obey the law', 'to serve on a jury')
    expect(readScheme(list, 2).expected).toBe('any two of: to pay taxes; to obey the law; to serve on a jury')
    const examples = prose(
      'One mark for each valid use, up to two, e.g. to cook; to heat / warm rooms; to light streets.',
    )
    expect(readScheme(examples, 2).expected).toBe('any two of: to cook; to heat / warm rooms; to light streets')
  })

  it('reads marks in brackets that are given for own figures too', () => {
    expect(expectedOf(prose('12,000 – 4,500 (1 OF) = $7,500 (1 OF)'), 2)).toEqual([
      ['12,000 – 4,500', 1],
      ['= $7,500', 1],
    ])
    expect(expectedOf(prose('7.5 × 4 (1ft) = 30 (1, ecf)'), 2)).toEqual([
      ['7.5 × 4', 1],
      ['= 30', 1],
    ])
  })

  it('takes no number that a function is of for a mark', () => {
    const key = readScheme(prose('h(4) = 4 × h(2) and h (2) = 2 × (1), so h(4) = 8'), 4)
    expect(key.criteria).toEqual([])
  })

  it('takes a number in brackets behind a letter of an answer for a mark', () => {
    expect(expectedOf(prose('uses V/R (1) 2 A(1)'), 2)).toEqual([
      ['uses V/R', 1],
      ['2 A', 1],
    ])
    expect(expectedOf(prose('force is bigger (1) because of N(1)'), 2)).toHaveLength(2)
  })

  it('takes what earns half the credit, and which answers count, for notes to the marker', () => {
    const half = readScheme(prose('1.41 (its square for half credit)'), 2)
    expect([half.expected, half.notes]).toEqual(['1.41', ['its square for half credit']])
    const first = readScheme(prose('2 and 5 (Mark first TWO only)'), 2)
    expect([first.expected, first.notes]).toEqual(['2 and 5', ['Mark first TWO only']])
  })

  it('reads codes in brackets behind the answer they are for', () => {
    const { criteria, notes } = readScheme(prose('4.5 cm² (M1 0.5 × (2 + 4) × 1.5, A1 4.5; –1 if unit missing)'), 2)
    expect(criteria.map(({ expected, points, code }) => [expected, points, code])).toEqual([
      ['0.5 × (2 + 4) × 1.5', 1, 'M'],
      ['4.5 cm²', 1, 'A'],
    ])
    expect(notes).toEqual(['–1 if unit missing'])
    // Marks that are not the question's say nothing sure; the answer is the answer.
    expect(readScheme(prose('£12 (M1 40 × 0.3, A1 12)'), 5)).toMatchObject({ expected: '£12', criteria: [] })
  })

  it('keeps what each mark is for out of the answer', () => {
    expect(readScheme(prose('mercury, venus, earth (1 point each in the right place)'), 3)).toMatchObject({
      expected: 'mercury, venus, earth',
      notes: ['1 point each in the right place'],
    })
    expect(readScheme(prose('False. It takes a year. 1 pt for F, 1 pt for the correction.'), 2).expected).toBe(
      'False. It takes a year.',
    )
    expect(
      expectedOf(prose('2 points for each part:', 'birds have feathers (2)', 'reptiles have scales (2)'), 4),
    ).toEqual([
      ['birds have feathers', 2],
      ['reptiles have scales', 2],
    ])
  })
})
