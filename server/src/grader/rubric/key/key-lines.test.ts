import type { Cell } from '@assay/shared/papers.ts'
import { expect, it } from 'vitest'
import { findMarksColumn } from './key-lines.ts'

/** At 60, 120 and 480 points. */
const columnOf = (rows: string[][]) =>
  findMarksColumn(
    rows.map((texts) => ({
      margin: 60,
      cells: texts.map((text, i): Cell => ({ text, x: [60, 120, 480][i] ?? 0, width: text.length * 5 })),
    })),
  )

it('finds the marks beside numbers as answers, where these stand under numbers that count up', () => {
  expect(
    columnOf([
      ['1', '42', '2'],
      ['2', 'x = 4', '2'],
      ['3', '3/5', '1'],
      ['4', '−7', '1'],
    ]),
  ).not.toBe(null)
})

it('finds none in a matrix, nor where numbers count equations', () => {
  expect(
    columnOf([
      ['1', '0', '1'],
      ['0', '1', '2'],
      ['1', '1', '1'],
      ['0', '0', '2'],
    ]),
  ).toBe(null)
  const equations = [1, 2, 3, 4, 5].map((number) => ['', 'the force is', `(${number})`])
  expect(columnOf(equations)).toBe(null)
})
