import { evaluateAt, type Formula, hasProductOfSums, normalizeFormula, readFormula, variablesOf } from './formula.ts'

type RelationSign = '=' | '<' | '>' | '≤' | '≥'

export interface Relation {
  left: Formula
  sign: RelationSign | null
  right: Formula | null
}

const SIGN = /[=<>≤≥]/g

/** In `a = b = c` the last step counts. Null for anything else. */
export function readRelation(text: string, words: ReadonlySet<string> = new Set(), tight = false): Relation | null {
  const plain = normalizeFormula(text)
  const signs = plain.match(SIGN) ?? []
  const members = plain.split(SIGN)
  if (signs.length > 1 && signs.some((sign) => sign !== '=')) return null
  const [first = '', second = ''] = members
  if (signs.length > 1) {
    const last = readFormula(members.at(-1) ?? '', words, tight)
    const name = readFormula(first, words, tight)
    if (!last) return null
    return name?.kind === 'variable' ? { left: name, sign: '=', right: last } : { left: last, sign: null, right: null }
  }
  if (signs[0] === '=' && first.trim() === '') {
    const only = readFormula(second, words, tight)
    return only && { left: only, sign: null, right: null }
  }
  const left = readFormula(first, words, tight)
  if (!left) return null
  if (signs.length === 0) return { left, sign: null, right: null }
  const right = readFormula(second, words, tight)
  return right && { left, sign: toSign(signs[0]), right }
}

function toSign(text: string | undefined): RelationSign {
  return text === '<' || text === '>' || text === '≤' || text === '≥' ? text : '='
}

const FLIPPED: Record<RelationSign, RelationSign> = { '=': '=', '<': '>', '>': '<', '≤': '≥', '≥': '≤' }
const SAMPLE_POINTS = 12
/** Roots and logarithms are often undefined, so more points are tried. */
const MOST_POINTS = 100
const MIN_DEFINED_POINTS = 5

/** `rearranged`: the same equation, solved for another of its names. */
type RelationMatch = 'same' | 'rearranged' | 'different'

/** Equality is undecidable, but formulas that agree at a dozen odd points hardly ever differ. */
export function compareRelations(key: Relation, given: Relation): RelationMatch {
  const same = (is: boolean) => (is ? 'same' : 'different')
  if (isIdentity(key)) return same(isSameIdentity(key, given))
  if (key.sign === '=' && key.right && key.left.kind === 'variable' && given.sign === null)
    return same(sameValue(key.right, given.left))
  if (key.sign === null && given.sign === '=' && given.right) return same(sameValue(key.left, given.right))
  if (key.sign === null || given.sign === null) return same(key.sign === given.sign && sameValue(key.left, given.left))
  const [a, b] = [difference(key), difference(given)]
  const ratio = ratioOf(a, b)
  if (ratio !== null) return same(given.sign === (ratio > 0 ? key.sign : FLIPPED[key.sign]))
  if (key.sign !== '=' || given.sign !== '=') return 'different'
  return !isZero(a) && !isZero(b) && sameRoots(a, b) ? 'rearranged' : 'different'
}

const difference = ({ left, right }: Relation): Formula => (right ? { kind: 'binary', sign: '-', left, right } : left)

export const sameValue = (a: Formula, b: Formula): boolean => {
  const ratio = ratioOf(a, b)
  return ratio !== null && Math.abs(ratio - 1) < 1e-6
}

const isIdentity = (relation: Relation): boolean => relation.sign === '=' && isZero(difference(relation))

/** In identities such as sin²x + cos²x = 1, function applications are variables; one side answers for both. */
function isSameIdentity(key: Relation, given: Relation): boolean {
  if (!key.right) return false
  if (given.sign === null) return sameShape(key.right, given.left) && !sameShape(key.left, given.left)
  if (!isIdentity(given) || !given.right) return false
  // “x² + 4x − 4x − 16 = x² − 16” ends as the key does.
  if (!/call/.test(JSON.stringify(key)) && sameShape(key.right, given.right) && sameValue(key.left, given.left))
    return true
  const [a, b] = [opaque(difference(key)), opaque(difference(given))]
  const sides = [given.left, given.right]
  return (
    (!isZero(a) && ratioOf(a, b) !== null) ||
    [sides, sides.toReversed()].some(
      ([l, r]) => l && r && key.right && sameShape(key.left, l) && sameShape(key.right, r),
    )
  )
}

const sameShape = (a: Formula, b: Formula): boolean =>
  sameValue(opaque(a), opaque(b)) && hasProductOfSums(a) === hasProductOfSums(b)

/** Each function application as a variable, and a single variable by one name. */
function opaque(formula: Formula): Formula {
  const [only, ...more] = variablesOf(formula)
  const nameOf = (text: string): string =>
    more.length === 0 && only !== undefined ? text.replaceAll(`"${only}"`, '"x"') : text
  const walk = (part: Formula): Formula => {
    if (part.kind === 'call') return { kind: 'variable', name: `${part.name} ${nameOf(JSON.stringify(part.of))}` }
    if (part.kind === 'variable' && part.name === only)
      return { kind: 'variable', name: more.length === 0 ? 'x' : only }
    return part.kind === 'binary' ? { ...part, left: walk(part.left), right: walk(part.right) } : part
  }
  return walk(formula)
}

/** Irrational steps keep the points off special values. */
const pointAt = (names: string[], i: number) =>
  new Map(
    names.map((name, j) => [name, name === 'e' ? Math.E : 0.3 + (((i + 1) * (j + 2) * Math.SQRT2 + j * Math.E) % 2.9)]),
  )

function isZero(formula: Formula): boolean {
  const names = [...variablesOf(formula)].sort()
  return [0, 1, 2, 3, 4].every((i) => Math.abs(evaluateAt(formula, pointAt(names, i))) < 1e-9)
}

/** b / a where it is constant and not zero; null otherwise. */
function ratioOf(a: Formula, b: Formula): number | null {
  const names = [...variablesOf(b, variablesOf(a))].sort()
  if (names.length > 12) return null
  let ratio: number | null = null
  let seen = 0
  for (let i = 0; i < MOST_POINTS && seen < SAMPLE_POINTS; i++) {
    const at = pointAt(names, i)
    const [x, y] = [evaluateAt(a, at), evaluateAt(b, at)]
    if (!Number.isFinite(x) || !Number.isFinite(y)) continue
    if (Math.abs(x) < 1e-9 || Math.abs(y) < 1e-9) {
      if (Math.abs(x - y) > 1e-9) return null
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

const TRIALS = 5
const ENOUGH = 3
/** Denser where values are small. */
const GRID = Array.from({ length: 73 }, (_, i) => 10 ** (-3 + i / 12))
const STEPS = 60

/** Positive roots come first: `c = √(a² + b²)` then equals `c² = a² + b²`, as with lengths. */
function sameRoots(a: Formula, b: Formula): boolean {
  const names = [...variablesOf(a)].sort()
  const others = [...variablesOf(b)].sort()
  if (names.length < 2 || names.length > 8 || names.join() !== others.join()) return false
  return names.some((name) => holdsAtRoots(a, b, names, name) && holdsAtRoots(b, a, names, name))
}

function holdsAtRoots(a: Formula, b: Formula, names: string[], name: string): boolean {
  let found = 0
  for (let trial = 0; trial < TRIALS; trial++) {
    const at = new Map(
      names.map((other, j) => [other, 0.4 + (((trial + 1) * (j + 3) * Math.SQRT2 + j * Math.E) % 2.7)]),
    )
    const root = rootOf((x) => evaluateAt(a, at.set(name, x)))
    if (root === null) continue
    at.set(name, root)
    const scale = sizeOf(b, at)
    const value = evaluateAt(b, at)
    if (!(Math.abs(value) <= 1e-6 * scale)) return false
    found++
  }
  return found >= ENOUGH
}

/** To tell zero from small. */
function sizeOf(formula: Formula, at: ReadonlyMap<string, number>): number {
  if (formula.kind !== 'binary') return Math.abs(evaluateAt(formula, at))
  return Math.abs(evaluateAt(formula.left, at)) + Math.abs(evaluateAt(formula.right, at))
}

function rootOf(f: (x: number) => number): number | null {
  for (const sign of [1, -1]) {
    let before = f(sign * (GRID[0] ?? 1))
    for (let i = 1; i < GRID.length; i++) {
      const [low, high] = [sign * (GRID[i - 1] ?? 1), sign * (GRID[i] ?? 1)]
      const here = f(high)
      if (here === 0) return high
      if (Number.isFinite(before) && Number.isFinite(here) && before * here < 0) {
        const root = bisect(f, low, high)
        if (root !== null) return root
      }
      before = here
    }
  }
  return null
}

/** Null where the sign changes at a pole. */
function bisect(f: (x: number) => number, from: number, to: number): number | null {
  let [low, high] = [from, to]
  const start = f(low)
  for (let i = 0; i < STEPS; i++) {
    const middle = (low + high) / 2
    const value = f(middle)
    if (value === 0) return middle
    if (value * start > 0) low = middle
    else high = middle
  }
  const root = (low + high) / 2
  return Math.abs(f(root)) <= Math.abs(start) ? root : null
}
