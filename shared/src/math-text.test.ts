import fc from 'fast-check'
import { expect, it } from 'vitest'
import { hasMath, splitMath } from './math-text.ts'

const math = (tex: string, display = false) => ({ kind: 'math', tex, display })
const words = (text: string) => ({ kind: 'text', text })

it.each([
  ['the area is $\\pi r^2$.', [words('the area is '), math('\\pi r^2'), words('.')]],
  ['$x$ and $y$', [math('x'), words(' and '), math('y')]],
  ['so $$\\frac{a}{b}$$ holds', [words('so '), math('\\frac{a}{b}', true), words(' holds')]],
  ['$$\na\n$$', [math('a', true)]],
  ['$\\$5 + x$', [math('\\$5 + x')]],
])('Math in text: %j has its formulas apart', (text, parts) => {
  expect(splitMath(text)).toEqual(parts)
})

it.each(['$5 and $6', '5$ and 6$', '$5-$6', 'a $ alone', '$$', '$$ $$', '$ x $', 'between $5 and\n6$', ''])(
  'Math in text: %j is no formula',
  (text) => {
    expect(hasMath(text)).toBe(false)
    expect(splitMath(text)).toEqual(text === '' ? [] : [words(text)])
  },
)

it('Math in text: an escaped dollar sign is one', () => {
  expect(splitMath('\\$x\\$ costs \\$3')).toEqual([words('$x$ costs $3')])
})

it('Math in text: nothing that was typed is lost', () => {
  const typed = fc.array(fc.constantFrom('$', '$$', 'x', ' ', '5', '\n', '\\frac{1}{2}')).map((all) => all.join(''))
  fc.assert(
    fc.property(typed, (text) => {
      const kept = splitMath(text).map((part) => (part.kind === 'text' ? part.text : part.tex))
      expect(kept.join('').replace(/[\s$]/g, '')).toBe(text.replace(/[\s$]/g, ''))
    }),
  )
})
