import { expect, it } from 'vitest'
import { reliabilityOf, reliabilityTable } from './reliability.ts'

const answers = [
  { person: 1, ours: 1, confidence: 0.95 },
  { person: 0, ours: 1, confidence: 0.95 },
  { person: 0.5, ours: 0.9, confidence: 0.6 },
  { person: 1, ours: 1, confidence: 1 },
]

it('compares expected with found errors, by tenths of the confidence', () => {
  const { rows, ece, sure, fullMarks } = reliabilityOf(answers)
  expect(rows.map(({ from, answers }) => [from, answers])).toEqual([
    [0.6, 1],
    [0.9, 3],
  ])
  expect(rows[0]).toMatchObject({ expected: 0.4, within: 0 })
  expect(rows[0]?.found).toBeCloseTo(0.4)
  expect(rows[1]?.expected).toBeCloseTo(0.1 / 3)
  expect(rows[1]?.found).toBeCloseTo(1 / 3)
  expect(ece).toBeCloseTo(0.75 * 0.3)
  expect(sure).toEqual({ answers: 3, within: 2 / 3 })
  expect(fullMarks).toEqual({ answers: 3, wrong: 1 / 3 })
})

it('is a table, with a column for each set', () => {
  const table = reliabilityTable([
    { name: 'one', reliability: reliabilityOf(answers) },
    { name: 'two', reliability: reliabilityOf([]) },
  ])
  expect(table.split('\n')).toContain('| 0.6 to 0.7 | 1: 0.40 → 0.40 |  |')
  expect(table.split('\n').at(-1)).toBe('| full marks at .9 and more: wrong | 33.3 % of 3 | none |')
})
