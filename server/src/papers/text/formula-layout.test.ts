import { expect, it } from 'vitest'
import { flattenFormulas } from './formula-layout.ts'
import { toLines } from './page-lines.ts'
import { isSuperscript, superscriptText } from './superscripts.ts'
import type { TextRun } from './text-run.ts'

const run = (text: string, x: number, baseline: number, size = 10): TextRun => ({
  text,
  box: { x, y: baseline - size, width: text.length * size * 0.5, height: size },
  direction: 0,
  size,
  baseline,
  endsLine: false,
})
const textOf = (runs: TextRun[], ...rules: { x: number; y: number; width: number; height: number }[]) =>
  flattenFormulas(runs, rules).map(({ text }) => text)

it('writes a fraction in one line, in brackets where it is more than a number', () => {
  const bar = { x: 99, y: 97, width: 7, height: 0.4 }
  expect(textOf([run('Work out', 50, 100), run('3', 100, 94), run('4', 100, 107), run('now', 120, 100)], bar)).toEqual([
    'Work out',
    '3/4',
    'now',
  ])
  const wide = { x: 99, y: 97, width: 27, height: 0.4 }
  expect(textOf([run('x + 1', 100, 94), run('2', 110, 107)], wide)).toEqual(['(x + 1)/2'])
})

it('writes an exponent of several runs as one, and a struck equals sign', () => {
  const page = { width: 595, height: 842 }
  const lines = toLines(
    [run('e', 100, 100), run('3', 105, 95, 7), run('x', 109, 95, 7), run(' \u0338', 120, 100), run('= 0', 128, 100)],
    page,
  )
  expect(lines.map(({ text }) => text)).toEqual(['e^(3x) ≠ 0'])
})

it('does not mind a space behind what stands over or under the bar', () => {
  const bar = { x: 99, y: 97, width: 22, height: 0.4 }
  expect(textOf([run('−15%', 100, 94), run('+30% ', 100, 107)], bar)).toEqual(['(−15%)/(+30%)'])
})

it('takes a rule to write on, an underlined word and a table for none', () => {
  const above = run('name', 100, 94)
  expect(textOf([above], { x: 99, y: 97, width: 22, height: 0.4 })).toEqual(['name'])
  expect(textOf([above, run('next line', 100, 118)], { x: 99, y: 97, width: 22, height: 0.4 })).toHaveLength(2)
  expect(textOf([above, run('cell', 100, 107)], { x: 80, y: 97, width: 90, height: 0.4 })).toHaveLength(2)
})

it('puts a root before what its bar reaches over', () => {
  const sign = run('√', 100, 92)
  expect(textOf([sign, run('50', 105, 100), run('+ 1', 118, 100)], { x: 105, y: 90, width: 10, height: 0.4 })).toEqual([
    '√50',
    '+ 1',
  ])
})

it('writes exponents, charges and degrees as such', () => {
  const base = run('cm', 100, 100)
  expect(isSuperscript(run('3', 110, 96, 7), base)).toBe(true)
  expect(isSuperscript(run('2', 110, 103, 7), base)).toBe(false)
  expect(['−31', '2+', '◦', 'st', 'n+1'].map(superscriptText)).toEqual(['⁻³¹', '²⁺', '°', 'st', 'ⁿ⁺¹'])
})
