import { Int32, Long, Timestamp } from 'bson'
import { type Doc, isDoc, isNumeric, typeNameOf } from '../bson-values.ts'
import { MongoError } from '../mongo-error.ts'
import { compareValues } from '../query/compare.ts'
import { addedToSet, arrayForAdding, assertArray, popped, pulled, pulledAll, pushed } from './array-operators.ts'
import { assertNumericArgument, calculate } from './numbers.ts'
import { rename } from './rename.ts'
import { getAt, setAt, unsetAt } from './update-paths.ts'

const NAMES = new Set([
  '$set',
  '$setOnInsert',
  '$unset',
  '$inc',
  '$mul',
  '$min',
  '$max',
  '$rename',
  '$currentDate',
  '$push',
  '$addToSet',
  '$pull',
  '$pullAll',
  '$pop',
  '$bit',
])

export function isUpdateOperator(name: string): boolean {
  return NAMES.has(name)
}

/** Applies one operator at one resolved path, in place, with MongoDB's error messages. The path of a `$rename` is the new one. */
export function applyOperator(name: string, doc: Doc, parts: string[], argument: unknown): void {
  if (name === '$set' || name === '$setOnInsert') setAt(doc, parts, argument)
  else if (name === '$unset') unsetAt(doc, parts)
  else if (name === '$rename') rename(doc, String(argument).split('.'), parts)
  else if (name === '$currentDate') setAt(doc, parts, now(argument))
  else compute(name, doc, parts, argument)
}

function compute(name: string, doc: Doc, parts: string[], argument: unknown): void {
  const current = getAt(doc, parts)
  const next = computed(name, doc, parts.join('.'), current, argument)
  if (next !== undefined) setAt(doc, parts, next)
}

/** The new value; undefined for no change. */
function computed(name: string, doc: Doc, path: string, current: unknown, argument: unknown): unknown {
  switch (name) {
    case '$inc':
    case '$mul':
      return arithmetic(name, doc, path, current, argument)
    case '$min':
      return current === undefined || compareValues(argument, current) < 0 ? argument : undefined
    case '$max':
      return current === undefined || compareValues(argument, current) > 0 ? argument : undefined
    case '$push':
      return pushed(arrayForAdding(name, path, current, doc._id), argument)
    case '$addToSet':
      return addedToSet(arrayForAdding(name, path, current, doc._id), argument)
    case '$bit':
      return bits(path, current, argument)
    default:
  }
  if (current === undefined) return undefined
  assertArray(name, current)
  if (name === '$pull') return pulled(current, argument)
  if (name === '$pullAll') return pulledAll(current, argument)
  return popped(current, argument)
}

function arithmetic(name: '$inc' | '$mul', doc: Doc, path: string, current: unknown, argument: unknown): unknown {
  assertNumericArgument(name, path, argument)
  if (current === undefined) return name === '$inc' ? argument : calculate('$mul', argument, new Int32(0))
  if (!isNumeric(current)) {
    const field = path.split('.').at(-1)
    throw new MongoError(
      'TypeMismatch',
      `Cannot apply ${name} to a value of non-numeric type. {_id: ${JSON.stringify(doc._id)}} has the field '${field}' of non-numeric type ${typeNameOf(current)}`,
    )
  }
  return calculate(name, current, argument)
}

function now(argument: unknown): unknown {
  const other = isDoc(argument) ? Object.keys(argument).find((name) => name !== '$type') : undefined
  if (other) throw new MongoError('BadValue', `Unrecognized $currentDate option: ${other}`)
  if (typeof argument === 'boolean' || (isDoc(argument) && argument.$type === 'date')) return new Date()
  if (isDoc(argument) && argument.$type === 'timestamp') {
    return new Timestamp({ t: Math.floor(Date.now() / 1000), i: 1 })
  }
  throw new MongoError('BadValue', "The '$type' string field is required to be 'date' or 'timestamp'")
}

function bits(path: string, current: unknown, argument: unknown): unknown {
  const before = current === undefined ? new Int32(0) : current
  if (!(before instanceof Int32 || before instanceof Long)) {
    throw new MongoError(
      'BadValue',
      `Cannot apply $bit to a value of non-integral type. ${path} is a ${typeNameOf(before)}`,
    )
  }
  if (!isDoc(argument)) throw new MongoError('BadValue', 'The $bit modifier is not compatible with this value')
  if (Object.keys(argument).length === 0) {
    throw new MongoError(
      'BadValue',
      'You must pass in at least one bitwise operation: {$bit: {field: {and/or/xor: #}}}',
    )
  }
  let value = BigInt(before.toString())
  let long = before instanceof Long
  for (const [name, operand] of Object.entries(argument)) {
    if (!(operand instanceof Int32 || operand instanceof Long)) {
      throw new MongoError(
        'BadValue',
        `The $bit modifier field must be an Integer(32/64 bit); a '${typeNameOf(operand)}' is not supported here: {${name}: ${String(operand)}}`,
      )
    }
    long ||= operand instanceof Long
    const other = BigInt(operand.toString())
    if (name === 'and') value &= other
    else if (name === 'or') value |= other
    else if (name === 'xor') value ^= other
    else throw new MongoError('BadValue', `The $bit modifier only supports 'and', 'or', and 'xor', not '${name}'`)
  }
  return long ? Long.fromBigInt(value) : new Int32(Number(value))
}
