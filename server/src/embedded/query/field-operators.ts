import { BSONRegExp, Long, MaxKey, MinKey } from 'bson'
import { type Doc, isDoc, TypeOrder, toNumber, typeNameOf, typeOrderOf } from '../bson-values.ts'
import { hasOneWay, notQuick, tryRegex } from '../command-limits.ts'
import { MongoError } from '../mongo-error.ts'
import { bitsTest } from './bits.ts'
import { compareValues, equalValues, regexText } from './compare.ts'
import { compileRegExp } from './regular-expression.ts'

type Leaf = (value: unknown) => boolean

/** Tests a value and, if it is an array, each of its elements, as most operators do. */
function orElement(test: Leaf): Leaf {
  return (value) => test(value) || (Array.isArray(value) && value.some(test))
}

/** Equality, where null also matches a missing field and a regular expression matches strings. */
export function matchesEqual(operand: unknown): Leaf {
  if (operand instanceof RegExp || operand instanceof BSONRegExp) return regexLeaf(operand, undefined)
  return matchesExactly(operand)
}

function matchesExactly(operand: unknown): Leaf {
  if (operand === null || operand === undefined) return orElement((v) => v === null || v === undefined)
  // Fast path for the common case: one string or number against one scalar.
  if (typeof operand === 'string') {
    return (v) => v === operand || (Array.isArray(v) && v.includes(operand))
  }
  return orElement((v) => v !== undefined && equalValues(v, operand))
}

/** The test of an operator that needs one matching value at the path. Refuses unknown operators. */
export function operatorTest(name: string, argument: unknown, siblings: Doc): Leaf {
  switch (name) {
    case '$eq':
      return matchesExactly(argument)
    case '$gt':
      return comparison(argument, (c) => c > 0, false)
    case '$gte':
      return comparison(argument, (c) => c >= 0, true)
    case '$lt':
      return comparison(argument, (c) => c < 0, false)
    case '$lte':
      return comparison(argument, (c) => c <= 0, true)
    case '$in':
      return inLeaf(argument)
    case '$regex':
      return regexLeaf(argument, siblings.$options)
    case '$size':
      return sizeLeaf(argument)
    case '$type':
      return typeLeaf(argument)
    case '$mod':
      return modLeaf(argument)
    case '$bitsAllSet':
    case '$bitsAllClear':
    case '$bitsAnySet':
    case '$bitsAnyClear':
      return orElement(bitsTest(name, argument))
    case '$near':
    case '$nearSphere':
    case '$geoWithin':
    case '$geoIntersects':
      throw new MongoError('CommandNotSupported', `${name} is not supported by the embedded database`)
    default:
      throw new MongoError('BadValue', `unknown operator: ${name}`)
  }
}

/** Only values of the operand's type compare; `$gte` and `$lte` null also match a missing field. */
function comparison(operand: unknown, passes: (c: number) => boolean, inclusive: boolean): Leaf {
  if (operand instanceof RegExp || operand instanceof BSONRegExp) {
    throw new MongoError('BadValue', "Can't have RegEx as arg to predicate over field")
  }
  if (operand === null || operand === undefined) {
    return orElement((v) => inclusive && (v === null || v === undefined))
  }
  if (operand instanceof MinKey || operand instanceof MaxKey) {
    return orElement((v) => passes(compareValues(v, operand)))
  }
  const order = typeOrderOf(operand)
  const notANumber = order === TypeOrder.number && Number.isNaN(toNumber(operand))
  return orElement((v) => {
    if (v === undefined || typeOrderOf(v) !== order) return false
    if (order === TypeOrder.number && Number.isNaN(toNumber(v)) !== notANumber) return false
    return passes(compareValues(v, operand))
  })
}

function inLeaf(argument: unknown): Leaf {
  if (!Array.isArray(argument)) throw new MongoError('BadValue', '$in needs an array')
  for (const item of argument) {
    if (isDoc(item) && Object.keys(item)[0]?.startsWith('$') && !('$ref' in item)) {
      throw new MongoError('BadValue', 'cannot nest $ under $in')
    }
  }
  // Long lists are of ids: these are looked up, the rest is compared one by one.
  const strings = new Set(argument.filter((item) => typeof item === 'string'))
  const numbers = new Set(argument.filter(isPlainNumber))
  const numberTests = [...numbers].map((item) => matchesEqual(item))
  const others = argument
    .filter((item) => typeof item !== 'string' && !isPlainNumber(item))
    .map((item: unknown) => matchesEqual(item))
  const isListed = (v: unknown) => (typeof v === 'string' ? strings.has(v) : isPlainNumber(v) && numbers.has(v))
  return (v) => {
    if (isListed(v) || (Array.isArray(v) && v.some(isListed)) || others.some((test) => test(v))) return true
    // Numbers of other types, and lists with such.
    return typeof v === 'object' && v !== null && numberTests.some((test) => test(v))
  }
}

const isPlainNumber = (value: unknown): value is number => typeof value === 'number' && !Number.isNaN(value)

function regexLeaf(pattern: unknown, options: unknown): Leaf {
  const regex = compileRegExp(pattern, options)
  // Known before the first document is read.
  if (!hasOneWay(regex.source)) notQuick()
  const text = regexText(typeof pattern === 'string' ? new BSONRegExp(pattern, sorted(options)) : pattern)
  return orElement((v) => {
    if (typeof v === 'string') return tryRegex(regex.source, () => regex.test(v))
    return (v instanceof RegExp || v instanceof BSONRegExp) && regexText(v) === text
  })
}

function sorted(options: unknown): string {
  return typeof options === 'string' ? [...options].sort().join('') : ''
}

function sizeLeaf(argument: unknown): Leaf {
  const size = toNumber(argument)
  if (size === undefined || !Number.isInteger(size)) {
    throw new MongoError('BadValue', `Failed to parse $size. Expected an integer`)
  }
  if (size < 0) throw new MongoError('BadValue', 'Failed to parse $size. Expected a non-negative number')
  return (v) => Array.isArray(v) && v.length === size
}

const TYPE_CODES = new Map<number, string>([
  [1, 'double'],
  [2, 'string'],
  [3, 'object'],
  [4, 'array'],
  [5, 'binData'],
  [7, 'objectId'],
  [8, 'bool'],
  [9, 'date'],
  [10, 'null'],
  [11, 'regex'],
  [13, 'javascript'],
  [16, 'int'],
  [17, 'timestamp'],
  [18, 'long'],
  [19, 'decimal'],
  [-1, 'minKey'],
  [127, 'maxKey'],
])
const TYPE_ALIASES = new Set([...TYPE_CODES.values(), 'number'])

function typeLeaf(argument: unknown): Leaf {
  if (Array.isArray(argument) && argument.length === 0) {
    throw new MongoError('FailedToParse', '$type must match at least one type')
  }
  const names = new Set(
    (Array.isArray(argument) ? argument : [argument]).map((item: unknown) => {
      const name = typeof item === 'string' ? item : TYPE_CODES.get(toNumber(item) ?? Number.NaN)
      if (name === undefined || !TYPE_ALIASES.has(name)) {
        throw new MongoError('BadValue', `Unknown type name alias: ${String(item)}`)
      }
      return name
    }),
  )
  if (names.has('number')) for (const name of ['int', 'long', 'double', 'decimal']) names.add(name)
  return orElement((v) => v !== undefined && names.has(typeNameOf(v)))
}

function modLeaf(argument: unknown): Leaf {
  if (!Array.isArray(argument) || argument.length !== 2) {
    throw new MongoError('BadValue', 'malformed mod, not enough elements')
  }
  const [divisor, remainder] = argument.map(wholePart)
  if (divisor === undefined) throw new MongoError('BadValue', 'malformed mod, divisor not a number')
  if (remainder === undefined) throw new MongoError('BadValue', 'malformed mod, remainder not a number')
  if (divisor === 0n) throw new MongoError('BadValue', 'divisor cannot be 0')
  return orElement((v) => {
    const whole = wholePart(v)
    return whole !== undefined && whole % divisor === remainder
  })
}

function wholePart(value: unknown): bigint | undefined {
  if (value instanceof Long) return value.toBigInt()
  const number = toNumber(value)
  return number === undefined || !Number.isFinite(number) ? undefined : BigInt(Math.trunc(number))
}
