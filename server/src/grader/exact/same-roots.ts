import { evaluateAt, type Formula, variablesOf } from './formula.ts'

const TRIALS = 5
const ENOUGH = 3
/** Where roots are looked for: from a thousandth to a thousand, closer together where values are small. */
const GRID = Array.from({ length: 73 }, (_, i) => 10 ** (-3 + i / 12))
const STEPS = 60

/**
 * Are two equations (as differences) true for the same values? All names but one get values, the last is solved for in one
 * equation and must satisfy the other, both ways. Positive roots are taken where there are some: `c = √(a² + b²)` then stands for
 * `c² = a² + b²`, as in a formula of lengths or speeds.
 */
export function sameRoots(a: Formula, b: Formula): boolean {
  const names = [...variablesOf(a)].sort()
  const others = [...variablesOf(b)].sort()
  if (names.length < 2 || names.length > 8 || names.join() !== others.join()) return false
  return names.some((name) => {
    const there = holdsAtRoots(a, b, names, name)
    return there === true && holdsAtRoots(b, a, names, name) === true
  })
}

/** Null where too few roots were found to tell. */
function holdsAtRoots(a: Formula, b: Formula, names: string[], name: string): boolean | null {
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
  return found >= ENOUGH ? true : null
}

/** How large the parts of a difference are, so that zero can be told from small. */
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
