import { type Doc, isDoc, toNumber, typeNameOf } from '../bson-values.ts'
import { MongoError } from '../mongo-error.ts'
import { compareValues, equalValues } from '../query/compare.ts'
import { compileFilter, elemMatchTest, isOperatorDoc } from '../query/matcher.ts'
import { getAt } from './update-paths.ts'

/** The array a `$push` or `$addToSet` adds to; a missing field starts an empty one. */
export function arrayForAdding(name: string, path: string, current: unknown, id: unknown): unknown[] {
  if (current === undefined) return []
  if (Array.isArray(current)) return current
  if (name === '$addToSet') {
    throw new MongoError(
      'BadValue',
      `Cannot apply $addToSet to non-array field. Field named '${path}' has non-array type ${typeNameOf(current)}`,
    )
  }
  throw new MongoError(
    'BadValue',
    `The field '${path}' must be an array but is of type ${typeNameOf(current)} in document {_id: ${JSON.stringify(id)}}`,
  )
}

export function assertArray(name: string, current: unknown): asserts current is unknown[] {
  if (Array.isArray(current)) return
  if (name === '$pop') {
    throw new MongoError('TypeMismatch', `Cannot apply $pop to a value of non-array type ${typeNameOf(current)}`)
  }
  throw new MongoError('BadValue', `Cannot apply ${name} to a non-array value`)
}

const PUSH_MODIFIERS = new Set(['$each', '$slice', '$sort', '$position'])

export function pushed(current: unknown[], argument: unknown): unknown[] {
  if (!isDoc(argument) || !('$each' in argument)) return [...current, argument]
  for (const name of Object.keys(argument)) {
    if (!PUSH_MODIFIERS.has(name)) throw new MongoError('BadValue', `Unrecognized clause in $push: ${name}`)
  }
  const items = eachOf('$push', argument.$each)
  const position = integerOf('$position', argument)
  const result = [...current]
  result.splice(position === undefined ? result.length : position, 0, ...items)
  if (argument.$sort !== undefined) sortArray(result, argument.$sort)
  const slice = integerOf('$slice', argument)
  if (slice === undefined) return result
  return slice === 0 ? [] : slice > 0 ? result.slice(0, slice) : result.slice(slice)
}

function integerOf(name: '$position' | '$slice', argument: Doc): number | undefined {
  if (!(name in argument)) return undefined
  const number = toNumber(argument[name])
  if (number !== undefined && Number.isInteger(number)) return number
  throw new MongoError(
    'BadValue',
    `The value for ${name} must be an integer value but was given type: ${typeNameOf(argument[name])}`,
  )
}

function eachOf(name: string, value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  throw new MongoError(
    name === '$push' ? 'BadValue' : 'TypeMismatch',
    `The argument to $each in ${name} must be an array but it was of type ${typeNameOf(value)}`,
  )
}

function sortArray(array: unknown[], spec: unknown): void {
  if (!isDoc(spec)) {
    const direction = directionOf(
      spec,
      'The $sort is invalid: use 1/-1 to sort the whole element, or {field:1/-1} to sort embedded fields',
    )
    array.sort((a, b) => direction * compareValues(a, b))
    return
  }
  const fields = Object.entries(spec).map(([path, n]) => ({
    parts: path.split('.'),
    direction: directionOf(n, 'The $sort element value must be either 1 or -1'),
  }))
  if (fields.length === 0) {
    throw new MongoError('BadValue', 'The $sort pattern is empty when it should be a set of fields.')
  }
  array.sort((a, b) => {
    for (const { parts, direction } of fields) {
      const order = compareValues(isDoc(a) ? getAt(a, parts) : null, isDoc(b) ? getAt(b, parts) : null)
      if (order !== 0) return order * direction
    }
    return 0
  })
}

function directionOf(given: unknown, message: string): number {
  const direction = toNumber(given)
  if (direction === 1 || direction === -1) return direction
  throw new MongoError('BadValue', message)
}

export function addedToSet(current: unknown[], argument: unknown): unknown[] {
  if (isDoc(argument) && Object.keys(argument)[0] === '$each') {
    const [, other] = Object.keys(argument)
    if (other) throw new MongoError('BadValue', `Found unexpected fields after $each in $addToSet: ${other}`)
  }
  const items = isDoc(argument) && '$each' in argument ? eachOf('$addToSet', argument.$each) : [argument]
  const result = [...current]
  for (const item of items) if (!result.some((known) => equalValues(known, item))) result.push(item)
  return result
}

export function pulled(current: unknown[], condition: unknown): unknown[] {
  const test = pullTest(condition)
  return current.filter((item) => !test(item))
}

/** A document condition is a filter on elements that are documents; anything else must be equal. */
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

export function pulledAll(current: unknown[], values: unknown): unknown[] {
  if (!Array.isArray(values)) throw new MongoError('BadValue', '$pullAll requires an array argument')
  return current.filter((item) => !values.some((value: unknown) => equalValues(item, value)))
}

export function popped(current: unknown[], argument: unknown): unknown[] {
  const direction = toNumber(argument)
  if (direction !== 1 && direction !== -1) {
    throw new MongoError('FailedToParse', `$pop expects 1 or -1, found: ${String(argument)}`)
  }
  return direction === 1 ? current.slice(0, -1) : current.slice(1)
}
