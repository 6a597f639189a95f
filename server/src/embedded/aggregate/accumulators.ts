import { type Doc, isDoc } from '../bson-values.ts'
import { compareValues } from '../query/compare.ts'
import { hasInexact } from './exact-operators.ts'
import { identityKey } from './identity-key.ts'
import { NumberSum, notExact } from './number-sum.ts'

/** Computes one field of a group from one value after the other, so that the group's documents need not be kept. */
export interface Accumulator {
  start(): unknown
  /** The state after another value; it may be the same object. */
  add(state: unknown, value: unknown): unknown
  finish(state: unknown): unknown
  /** Whether its state grows with the number of values. */
  grows: boolean
}

/** With its state's type, which only it knows. */
function accumulator<State>(given: {
  start: () => State
  add: (state: State, value: unknown) => State
  finish: (state: State) => unknown
  grows?: boolean
}): Accumulator {
  return {
    start: given.start,
    add: (state, value) => given.add(state as State, value),
    finish: (state) => given.finish(state as State),
    grows: given.grows ?? false,
  }
}

function rejectInexact(name: string, value: unknown): void {
  if (hasInexact(value)) throw notExact(`${name} of Decimal128, or of an integer beyond 2^53,`)
}

/** Of numbers, one at a time. */
function summed(name: string, finish: (sum: NumberSum) => unknown): Accumulator {
  return accumulator<NumberSum>({
    start: () => new NumberSum(name),
    add(sum, value) {
      sum.add(value)
      return sum
    },
    finish,
  })
}

interface Moments {
  n: number
  mean: number
  squares: number
}

/** Welford's method: one pass, without the loss of precision of a sum of squares. */
function standardDeviation(name: string, lost: 0 | 1): Accumulator {
  return accumulator<Moments>({
    start: () => ({ n: 0, mean: 0, squares: 0 }),
    add(state, value) {
      rejectInexact(name, value)
      if (typeof value !== 'number' || Number.isNaN(value)) return state
      state.n++
      const before = value - state.mean
      state.mean += before / state.n
      state.squares += before * (value - state.mean)
      return state
    },
    finish: ({ n, squares }) => (n - lost > 0 ? Math.sqrt(squares / (n - lost)) : null),
  })
}

function extreme(isBetter: (order: number) => boolean): Accumulator {
  return accumulator<unknown>({
    start: () => null,
    add(best, value) {
      if (value === null || value === undefined) return best
      return best === null || isBetter(compareValues(value, best)) ? value : best
    },
    finish: (best) => best,
  })
}

const ACCUMULATORS = new Map<string, Accumulator>(
  Object.entries({
    $sum: summed('$sum', (sum) => sum.sum()),
    $count: accumulator<number>({ start: () => 0, add: (n) => n + 1, finish: (n) => n }),
    $avg: summed('$avg', (sum) => sum.average()),
    $min: extreme((order) => order < 0),
    $max: extreme((order) => order > 0),
    $first: accumulator<{ value: unknown } | undefined>({
      start: () => undefined,
      add: (state, value) => state ?? { value },
      finish: (state) => state?.value ?? null,
    }),
    $last: accumulator<unknown>({
      start: () => null,
      add: (_before, value) => value,
      finish: (value) => value ?? null,
    }),
    $push: accumulator<unknown[]>({
      start: () => [],
      add(values, value) {
        values.push(value ?? null)
        return values
      },
      finish: (values) => values,
      grows: true,
    }),
    $addToSet: accumulator<Map<string, unknown>>({
      start: () => new Map(),
      add(values, value) {
        rejectInexact('$addToSet', value)
        const key = identityKey(value)
        if (!values.has(key)) values.set(key, value ?? null)
        return values
      },
      finish: (values) => [...values.values()],
      grows: true,
    }),
    $mergeObjects: accumulator<Doc>({
      start: () => ({}),
      add: (merged, value) => (isDoc(value) ? Object.assign(merged, value) : merged),
      finish: (merged) => merged,
      grows: true,
    }),
    $stdDevPop: standardDeviation('$stdDevPop', 0),
    $stdDevSamp: standardDeviation('$stdDevSamp', 1),
  }),
)

/** Undefined for those that need all values at once. */
export function incrementalAccumulator(name: string): Accumulator | undefined {
  return ACCUMULATORS.get(name)
}
