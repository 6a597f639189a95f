import { expect, it } from 'vitest'
import { escapeFormulaCell } from './grades-csv.ts'

it.each(['=1+1', '+1', '-1', '@x', '\t=1', '\r=1', ' =1', '|calc', '%x', '＝1', '\u200b=1', '\ufeff=cmd'])(
  'escapes %j so that it is no formula',
  (cell) => {
    expect(escapeFormulaCell(cell)).toBe(`'${cell}`)
  },
)

it.each([
  ['see page 2;=1+1', "see page 2;'=1+1"],
  ['a\n@x', "a\n'@x"],
  ['one; two', 'one; two'],
  ['x;\u200b+1', "x;'\u200b+1"],
])('escapes what would begin a cell within %j', (cell, escaped) => {
  expect(escapeFormulaCell(cell)).toBe(escaped)
})

it.each(['ada', 'a=b', '2nd try', '', '“quoted”'])('leaves %j as it is', (cell) => {
  expect(escapeFormulaCell(cell)).toBe(cell)
})

it('writes numbers as numbers, and null as an empty cell', () => {
  expect([escapeFormulaCell(-5), escapeFormulaCell(88.5), escapeFormulaCell(null)]).toEqual([-5, 88.5, ''])
})
