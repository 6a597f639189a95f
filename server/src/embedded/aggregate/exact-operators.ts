import { Long } from 'bson'
import { evalExpr } from 'mingo/core'
import * as accumulator from 'mingo/operators/accumulator'
import * as expression from 'mingo/operators/expression'
import { type Doc, isDoc, isNumeric, toNumber, typeNameOf } from '../bson-values.ts'
import { tryRegex } from '../command-limits.ts'
import { MongoError } from '../mongo-error.ts'
import { compareValues } from '../query/compare.ts'
import { compileRegExp } from '../query/regular-expression.ts'
import { exactInteger, isBeyondNumbers, NumberSum, notExact } from './number-sum.ts'

type Options = Parameters<typeof evalExpr>[2]
type Operator = (doc: Doc, expr: unknown, given: Options) => unknown
type Accumulator = (docs: Doc[], expr: unknown, given: Options) => unknown

/** mingo's, of which some compute with what is no number. */
const known = expression as unknown as Record<string, Operator | undefined>
const accumulators = accumulator as unknown as Record<string, Accumulator | undefined>

function listOf(doc: Doc, expr: unknown, given: Options): unknown[] {
  const values: unknown = evalExpr(doc, expr, given)
  return Array.isArray(values) ? values : [values]
}

function original(name: string, doc: Doc, values: unknown, given: Options): unknown {
  const literal = (value: unknown) => ({ $literal: value })
  return known[name]?.(doc, Array.isArray(values) ? values.map(literal) : literal(values), given)
}

const isNothing = (value: unknown) => value === null || value === undefined

function isWhole(value: unknown): boolean {
  return value instanceof Long ? isNumeric(value) : Number.isSafeInteger(value)
}

const bigintOf = (value: unknown) => (value instanceof Long ? value.toBigInt() : BigInt(toNumber(value) ?? 0))

function add(doc: Doc, expr: unknown, given: Options): unknown {
  const values = listOf(doc, expr, given)
  if (values.some(isNothing)) return null
  if (!values.every(isNumeric)) {
    rejectInexact('$add', values)
    return original('$add', doc, values, given)
  }
  const sum = new NumberSum('$add')
  for (const value of values) sum.add(value)
  return sum.sum()
}

function subtract(doc: Doc, expr: unknown, given: Options): unknown {
  const values = listOf(doc, expr, given)
  const [a, b] = values
  if (values.length !== 2 || !values.every(isWhole)) {
    rejectInexact('$subtract', values)
    return original('$subtract', doc, values, given)
  }
  return exactInteger('$subtract', bigintOf(a) - bigintOf(b), values.some(isBeyondNumbers))
}

function multiply(doc: Doc, expr: unknown, given: Options): unknown {
  const values = listOf(doc, expr, given)
  if (values.some(isNothing)) return null
  if (!values.every(isWhole)) {
    rejectInexact('$multiply', values)
    return original('$multiply', doc, values, given)
  }
  const product = values.reduce<bigint>((result, value) => result * bigintOf(value), 1n)
  // What overflows a Long is multiplied as doubles, as in MongoDB.
  if (BigInt.asIntN(64, product) !== product) {
    return values.reduce<number>((result, value) => result * (toNumber(value) ?? 0), 1)
  }
  return exactInteger('$multiply', product, values.some(isBeyondNumbers))
}

function rejectInexact(name: string, value: unknown): void {
  if (!hasInexact(value)) return
  throw notExact(`${name} of Decimal128, or of an integer beyond 2^53,`)
}

/** Whether a number that JavaScript has none for is anywhere in a value. */
export function hasInexact(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasInexact)
  return isDoc(value) ? Object.values(value).some(hasInexact) : isBeyondNumbers(value)
}

/** Operators that would ignore, or compare as texts, the numbers JavaScript has none for. */
const PLAIN_NUMBERS_ONLY = [
  ...['$abs', '$ceil', '$divide', '$exp', '$floor', '$ln', '$log', '$log10', '$mod', '$pow', '$round', '$sqrt'],
  ...['$trunc', '$sigmoid', '$sin', '$cos', '$tan', '$sinh', '$cosh', '$tanh', '$asin', '$acos', '$atan', '$atan2'],
  ...['$asinh', '$acosh', '$atanh', '$degreesToRadians', '$radiansToDegrees', '$bitAnd', '$bitOr', '$bitXor'],
  ...['$bitNot', '$toInt', '$toLong', '$toDouble', '$toBool', '$toDate', '$convert', '$range', '$sortArray', '$in'],
  ...['$indexOfArray', '$setUnion', '$setIntersection', '$setDifference', '$setEquals', '$setIsSubset'],
  ...['$percentile', '$median', '$maxN', '$minN'],
]

function plainOnly(name: string): [string, Operator] {
  return [
    name,
    (doc, expr, given) => {
      // In a $group it is an accumulator, and the document a list of them.
      if (Array.isArray(doc)) return known[name]?.(doc, expr, given)
      const values: unknown = evalExpr(doc, expr, given)
      rejectInexact(name, values)
      return isDoc(expr) && isDoc(values) ? known[name]?.(doc, expr, given) : original(name, doc, values, given)
    },
  ]
}

/** Missing sorts below null here, unlike in a filter. */
function compare(a: unknown, b: unknown): number {
  if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined)
  return compareValues(a, b)
}

function comparison(name: string, passes: (order: number) => unknown): [string, Operator] {
  return [
    name,
    (doc, expr, given) => {
      const values = listOf(doc, expr, given)
      if (values.length !== 2) {
        throw new MongoError(
          'BadValue',
          `Expression ${name} takes exactly 2 arguments. ${values.length} were passed in.`,
        )
      }
      return passes(compare(values[0], values[1]))
    },
  ]
}

function matchesOf(name: string, doc: Doc, expr: unknown, given: Options): Doc[] {
  const values: unknown = evalExpr(doc, expr, given)
  const { input, regex, options }: Doc = isDoc(values) ? values : {}
  if (isNothing(input) || isNothing(regex)) return []
  if (typeof input !== 'string') throw new MongoError('BadValue', `${name} needs 'input' to be of type string`)
  const { source, flags } = compileRegExp(regex, isNothing(options) ? undefined : options)
  const found = tryRegex(source, () => [...input.matchAll(new RegExp(source, `${flags}g`))])
  const ends = found.map((match) => match.index + match[0].length)
  // Nothing is found in the nothing behind a match that reaches to the end.
  const counted = found.filter(({ index }, at) => index < input.length || ends[at - 1] !== input.length)
  return counted.map((found) => ({
    match: found[0],
    idx: [...input.slice(0, found.index)].length,
    captures: found.slice(1).map((capture: string | undefined) => capture ?? null),
  }))
}

export const exactExpressions: Record<string, Operator> = {
  ...Object.fromEntries(PLAIN_NUMBERS_ONLY.filter((name) => known[name]).map(plainOnly)),
  ...Object.fromEntries([
    comparison('$eq', (order) => order === 0),
    comparison('$ne', (order) => order !== 0),
    comparison('$gt', (order) => order > 0),
    comparison('$gte', (order) => order >= 0),
    comparison('$lt', (order) => order < 0),
    comparison('$lte', (order) => order <= 0),
    comparison('$cmp', Math.sign),
  ]),
  $add: add,
  $subtract: subtract,
  $multiply: multiply,
  $isNumber: (doc, expr, given) => isNumeric(listOf(doc, expr, given)[0]),
  $toDecimal() {
    throw notExact('$toDecimal')
  },
  $type(doc, expr, given) {
    const value: unknown = evalExpr(doc, Array.isArray(expr) && expr.length === 1 ? expr[0] : expr, given)
    if (Number.isInteger(value)) throw notExact('$type of a whole number, which may be an int, a long or a double,')
    return typeNameOf(value)
  },
  $regexMatch: (doc, expr, given) => matchesOf('$regexMatch', doc, expr, given).length > 0,
  $regexFind: (doc, expr, given) => matchesOf('$regexFind', doc, expr, given)[0] ?? null,
  $regexFindAll: (doc, expr, given) => matchesOf('$regexFindAll', doc, expr, given),
}

function valuesOf(docs: Doc[], expr: unknown, given: Options): unknown[] {
  const values = accumulators.$push?.(docs, expr, given)
  return Array.isArray(values) ? values : []
}

function extreme(sign: 1 | -1): Accumulator {
  return (docs, expr, given) => {
    let best: unknown
    for (const value of valuesOf(docs, expr, given)) {
      if (!isNothing(value) && (best === undefined || sign * compareValues(value, best) > 0)) best = value
    }
    return best ?? null
  }
}

/** The expressions whose values an accumulator computes with or sorts by. */
function operandsOf(expr: unknown): unknown[] {
  if (!isDoc(expr)) return [expr]
  if (isDoc(expr.sortBy)) return Object.keys(expr.sortBy).map((path) => `$${path}`)
  return 'input' in expr ? [expr.input] : [expr]
}

const SUMMED = ['$stdDevPop', '$stdDevSamp', '$percentile', '$median', '$covariancePop', '$covarianceSamp']
const SORTED = ['$maxN', '$minN', '$top', '$topN', '$bottom', '$bottomN', '$addToSet']

export const exactAccumulators: Record<string, Accumulator> = {
  ...Object.fromEntries(
    [...SUMMED, ...SORTED]
      .filter((name) => accumulators[name])
      .map((name): [string, Accumulator] => [
        name,
        (docs, expr, given) => {
          for (const operand of operandsOf(expr)) rejectInexact(name, valuesOf(docs, operand, given))
          return accumulators[name]?.(docs, expr, given)
        },
      ]),
  ),
  $sum(docs, expr, given) {
    const sum = new NumberSum('$sum')
    for (const value of valuesOf(docs, expr, given)) sum.add(value)
    return sum.sum()
  },
  $avg(docs, expr, given) {
    const sum = new NumberSum('$avg')
    for (const value of valuesOf(docs, expr, given)) sum.add(value)
    return sum.average()
  },
  $min: extreme(-1),
  $max: extreme(1),
}
