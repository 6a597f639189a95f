import { evaluateAt, type Formula, normalizeFormula, readFormula, variablesOf } from '../formula.ts'
import { spokenToSymbols } from '../formula-readings.ts'
import { type Found, type Notation, onlyOne, RIGHT, WRONG } from './judge-by-notation.ts'

const ORDER = /(?<![A-Za-z])[OoΘθ]\s*\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))+)\)/gu
const NAMED: [RegExp, string][] = [
  [/\b(?:big[\s-]*)?(?:(?:oh?|theta)\s+of|order(?:\s+of)?)\s+(\S.*)$/is, 'O($1)'],
  [/\bn\s+log\s*linear\b|\blinearithmic\b|\bquasi-?linear\b/gi, 'O(n log n)'],
  [/\bquadratic(?:ally)?\b/gi, 'O(n^2)'],
  [/\bcubic\b/gi, 'O(n^3)'],
  [/\bexponential(?:ly)?\b/gi, 'O(2^n)'],
  [/\blogarithmic(?:ally)?\b/gi, 'O(log n)'],
  [/\blinear(?:ly)?\b/gi, 'O(n)'],
  [/\bconstant(?:\s+time)?\b/gi, 'O(1)'],
]
/** Far enough that log n and log n + 1 look alike, and n and n log n do not. */
const LARGE = [2 ** 20, 2 ** 40]
/** For what overflows at the large sizes. */
const SMALL = [24, 48]

function complexityOf(text: string): Formula | null {
  const plain = normalizeFormula(spokenToSymbols(text))
    .toLowerCase()
    .replace(/log_?\s*\(?2\)?\s*(?=[\s(a-z])|\blg\b|\bln\b/g, 'log ')
    .replace(/log\^\(?(\d)\)?\s*\(?([a-z])\)?/g, '(log($2))^$1')
    .replace(/log(?=[a-z])/g, 'log ')
    .replace(/(?<=[a-z])log/g, ' log')
    .replace(/(?<=[a-z])_?(\d)\b/g, '^$1')
  return readFormula(plain)
}

function growthsIn(text: string): Found<Formula> {
  const found: Formula[] = []
  let plain = text
    .slice(0, 600)
    .replace(/\\(?:mathcal|mathrm|text)\s*\{(\w+)\}/g, '$1')
    .replace(/#/g, ' ')
  for (const [pattern, order] of NAMED) plain = plain.replace(pattern, order)
  const put = (all: string, inside: string) => {
    const formula = complexityOf(inside)
    return formula ? `#${found.push(formula) - 1}#` : all
  }
  let skeleton = plain.replace(ORDER, put)
  if (found.length === 0) {
    const bare = plain.trim().replace(/^.*\b(?:is|answer)\b\s*:?/i, '')
    skeleton = /\p{L}{4}/u.test(bare.replace(/sqrt|squared/g, '')) ? skeleton : put(bare, bare)
  }
  return { skeleton, found }
}

/** Whether the quotient is constant far out; variables grow at different speeds. */
function growAlike(a: Formula, b: Formula): boolean {
  const names = [...variablesOf(b, variablesOf(a))].sort()
  const quotients = (sizes: number[]) =>
    sizes.map((n) => {
      const at = new Map(names.map((name, i) => [name, n ** (1 + 0.3 * i)]))
      return evaluateAt(a, at) / evaluateAt(b, at)
    })
  const [near = Number.NaN, far = Number.NaN] = quotients(LARGE)
  if (near > 0 && far > 0 && Number.isFinite(near) && Number.isFinite(far)) return Math.abs(far / near - 1) < 0.08
  const [first = Number.NaN, second = Number.NaN] = quotients(SMALL)
  return first > 0 && second > 0 && Math.abs(second / first - 1) < 0.08
}

export const COMPLEXITY: Notation<Formula> = {
  read: (key) => (/^\s*[OoΘθ]\s*\(/u.test(key) ? onlyOne(growthsIn(key)) : null),
  find: growthsIn,
  compare: (key, given) => (growAlike(key, given) ? RIGHT : WRONG),
}
