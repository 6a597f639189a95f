import { expect, it } from 'vitest'
import { escapeFormulaCell } from './grades-csv.ts'

it.each(['=1+1', '+1', '-1', '@x', '\t=1', '\r=1', ' =1', '|calc', '%x', '＝1', '\u200b=1', '\ufeff=cmd'])(
  'escapes %j so that it is no formula',
  (cell) => {
    expect(escapeFormulaCell(cell)).toBe(`'${cell}`)
  },
)

it.each(['ada', 'a=b', '2nd try', '', '“quoted”'])('leaves %j as it is', (cell) => {
  expect(escapeFormulaCell(cell)).toBe(cell)
})

it('writes numbers as numbers, and null as an empty cell', () => {
  expect([escapeFormulaCell(-5), escapeFormulaCell(88.5), escapeFormulaCell(null)]).toEqual([-5, 88.5, ''])
})
