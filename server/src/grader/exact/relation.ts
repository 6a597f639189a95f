import { evaluateAt, type Formula, readFormula, variablesOf } from './formula.ts'
import { normalizeFormula } from './normalize-formula.ts'

type RelationSign = '=' | '<' | '>' | '≤' | '≥'

/** An expression, or two with a sign between them. */
interface Relation {
  left: Formula
  sign: RelationSign | null
  right: Formula | null
}

const SIGN = /[=<>≤≥]/g

/** Null when the text is neither an expression nor an equation or inequality. */
export function readRelation(text: string, words: ReadonlySet<string> = new Set()): Relation | null {
  const plain = normalizeFormula(text)
  const signs = plain.match(SIGN) ?? []
  const [first = '', second = ''] = plain.split(SIGN)
  if (signs.length > 1) return null
  const left = readFormula(first, words)
  if (!left) return null
  if (signs.length === 0) return { left, sign: null, right: null }
  const right = readFormula(second, words)
  return right && { left, sign: toSign(signs[0]), right }
}

function toSign(text: string | undefined): RelationSign {
  return text === '<' || text === '>' || text === '≤' || text === '≥' ? text : '='
}

const FLIPPED: Record<RelationSign, RelationSign> = { '=': '=', '<': '>', '>': '<', '≤': '≥', '≥': '≤' }
const SAMPLE_POINTS = 12
const MIN_DEFINED_POINTS = 5

/**
 * Do two relations say the same? Compared by value at points that are always the same (equality of formulas cannot be
 * decided, but two that agree at a dozen odd points hardly ever differ). Equations may be turned round or multiplied by a number;
 * “a = …” may be answered by what is on its right.
 */
export function sameRelation(key: Relation, given: Relation): boolean {
  if (key.sign === '=' && key.right && key.left.kind === 'variable' && given.sign === null)
    return sameValue(key.right, given.left)
  if (key.sign === null && given.sign === '=' && given.right)
    return sameValue(key.left, given.right) || sameValue(key.left, given.left)
  if (key.sign === null || given.sign === null) return key.sign === given.sign && sameValue(key.left, given.left)
  const ratio = ratioOf(difference(key), difference(given))
  if (ratio === null) return false
  return given.sign === (ratio > 0 ? key.sign : FLIPPED[key.sign])
}

function difference({ left, right }: Relation): Formula {
  return right ? { kind: 'binary', sign: '-', left, right } : left
}

const sameValue = (a: Formula, b: Formula): boolean => {
  const ratio = ratioOf(a, b)
  return ratio !== null && Math.abs(ratio - 1) < 1e-6
}

/** b / a where that is the same (and not zero) at all points both have a value at; null otherwise. */
function ratioOf(a: Formula, b: Formula): number | null {
  const names = [...variablesOf(b, variablesOf(a))].sort()
  if (names.length > 12) return null
  let ratio: number | null = null
  let seen = 0
  for (let i = 0; i < SAMPLE_POINTS; i++) {
    // Irrational steps keep the points off anything special.
    const at = new Map(names.map((name, j) => [name, 0.3 + (((i + 1) * (j + 2) * Math.SQRT2 + j * Math.E) % 2.9)]))
    const [x, y] = [evaluateAt(a, at), evaluateAt(b, at)]
    if (!Number.isFinite(x) || !Number.isFinite(y)) continue
    if (Math.abs(x) < 1e-9 || Math.abs(y) < 1e-9) {
      if (Math.abs(x - y) > 1e-9) return null
      // Zero on both sides everywhere is the same as well.
      ratio ??= names.length === 0 ? 1 : null
      if (names.length === 0) return 1
      continue
    }
    const here = y / x
    if (ratio === null) ratio = here
    else if (Math.abs(here - ratio) > 1e-6 * Math.max(1, Math.abs(ratio))) return null
    seen++
  }
  return seen >= (names.length === 0 ? 1 : MIN_DEFINED_POINTS) ? ratio : null
}
