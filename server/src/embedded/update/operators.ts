import { Decimal128, Double, Int32, Long } from 'bson'
import { type Doc, isDoc, isInt32, isNumeric, toNumber, typeNameOf } from '../bson-values.ts'
import { MongoError, notSupported } from '../mongo-error.ts'
import { compareValues, equalValues } from '../query/compare.ts'
import { compileFilter, elemMatchTest, isOperatorDoc } from '../query/matcher.ts'
import { rename } from './rename.ts'
import { getAt, setAt, unsetAt } from './update-paths.ts'

const NAMES = new Set([
  ...['$set', '$setOnInsert', '$unset', '$rename', '$currentDate', '$inc', '$min', '$max'],
  ...['$push', '$addToSet', '$pull', '$pop'],
])

export function isUpdateOperator(name: string): boolean {
  return NAMES.has(name)
}

/** In place, with MongoDB's error messages. `$rename` gets its new path. */
export function applyOperator(name: string, doc: Doc, parts: string[], argument: unknown): void {
  if (name === '$set' || name === '$setOnInsert') setAt(doc, parts, argument)
  else if (name === '$unset') unsetAt(doc, parts)
  else if (name === '$rename') rename(doc, String(argument).split('.'), parts)
  else if (name === '$currentDate') setAt(doc, parts, now(argument))
  else {
    const next = computed(name, doc, parts.join('.'), getAt(doc, parts), argument)
    if (next !== undefined) setAt(doc, parts, next)
  }
}

/** Undefined for no change. */
function computed(name: string, doc: Doc, path: string, current: unknown, argument: unknown): unknown {
  switch (name) {
    case '$inc':
      return incremented(doc, path, current, argument)
    case '$min':
      return current === undefined || compareValues(argument, current) < 0 ? argument : undefined
    case '$max':
      return current === undefined || compareValues(argument, current) > 0 ? argument : undefined
    default:
  }
  const adds = name === '$push' || name === '$addToSet'
  if (current === undefined && !adds) return undefined
  const array = current ?? []
  assertArray(name, path, array)
  if (name === '$push') return pushed(array, argument)
  if (name === '$addToSet') return addedToSet(array, argument)
  return name === '$pull' ? pulled(array, argument) : popped(array, argument)
}

function incremented(doc: Doc, path: string, current: unknown, argument: unknown): unknown {
  assertNumericArgument(path, argument)
  if (current === undefined) return argument
  if (isNumeric(current)) return added(current, argument)
  throw new MongoError(
    'TypeMismatch',
    `Cannot apply $inc to a value of non-numeric type. {_id: ${JSON.stringify(doc._id)}} has the field '${path.split('.').at(-1)}' of non-numeric type ${typeNameOf(current)}`,
  )
}

function now(argument: unknown): Date {
  if (argument === true) return new Date()
  throw notSupported(`$currentDate of ${JSON.stringify(argument)}`)
}

/** In the wider of both types; ints overflow to longs, longs are refused. */
function added(a: unknown, b: unknown): unknown {
  if (a instanceof Decimal128 || b instanceof Decimal128) throw notSupported('$inc of Decimal128')
  if (!isWhole(a) || !isWhole(b)) return new Double((toNumber(a) ?? 0) + (toNumber(b) ?? 0))
  const sum = BigInt(String(a)) + BigInt(String(b))
  if (BigInt.asIntN(64, sum) !== sum) {
    throw new MongoError('BadValue', 'Failed to apply $inc operations to current value: the result overflows')
  }
  const long = a instanceof Long || b instanceof Long || !isInt32(Number(sum))
  return long ? Long.fromBigInt(sum) : new Int32(Number(sum))
}

function isWhole(value: unknown): boolean {
  return value instanceof Int32 || value instanceof Long
}

function assertNumericArgument(path: string, value: unknown): void {
  if (isNumeric(value)) return
  throw new MongoError(
    'TypeMismatch',
    `Cannot increment with non-numeric argument: {${path}: ${JSON.stringify(value)}}`,
  )
}

function assertArray(name: string, path: string, current: unknown): asserts current is unknown[] {
  if (Array.isArray(current)) return
  throw new MongoError(
    name === '$pop' ? 'TypeMismatch' : 'BadValue',
    `Cannot apply ${name} to non-array field. Field named '${path}' has non-array type ${typeNameOf(current)}`,
  )
}

/** One thing, or those of a `$each`. */
function itemsOf(name: string, argument: unknown): unknown[] {
  if (!isOperatorDoc(argument)) return [argument]
  const other = Object.keys(argument).find((modifier) => modifier !== '$each')
  if (other !== undefined) throw notSupported(`${other} in ${name}`)
  if (Array.isArray(argument.$each)) return argument.$each
  throw new MongoError('BadValue', `The argument to $each in ${name} must be an array`)
}

function pushed(current: unknown[], argument: unknown): unknown[] {
  return [...current, ...itemsOf('$push', argument)]
}

function addedToSet(current: unknown[], argument: unknown): unknown[] {
  const result = [...current]
  for (const item of itemsOf('$addToSet', argument)) {
    if (!result.some((known) => equalValues(known, item))) result.push(item)
  }
  return result
}

function pulled(current: unknown[], condition: unknown): unknown[] {
  const test = pullTest(condition)
  return current.filter((item) => !test(item))
}

/** A document filters elements that are documents; anything else must be equal. */
function pullTest(condition: unknown): (item: unknown) => boolean {
  if (isOperatorDoc(condition)) return elemMatchTest(condition)
  if (isDoc(condition)) {
    const test = compileFilter(condition)
    return (item) => isDoc(item) && test(item)
  }
  const test = compileFilter({ value: condition })
  return Array.isArray(condition)
    ? (item) => equalValues(item, condition)
    : (item) => !Array.isArray(item) && test({ value: item })
}

function popped(current: unknown[], argument: unknown): unknown[] {
  const direction = toNumber(argument)
  if (direction !== 1 && direction !== -1) {
    throw new MongoError('FailedToParse', `$pop expects 1 or -1, found: ${String(argument)}`)
  }
  return direction === 1 ? current.slice(0, -1) : current.slice(1)
}
