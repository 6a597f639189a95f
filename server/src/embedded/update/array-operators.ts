import { isDoc, toNumber, typeNameOf } from '../bson-values.ts'
import { MongoError, notSupported } from '../mongo-error.ts'
import { equalValues } from '../query/compare.ts'
import { compileFilter, elemMatchTest, isOperatorDoc } from '../query/matcher.ts'

export function assertArray(name: string, path: string, current: unknown): asserts current is unknown[] {
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

export function pushed(current: unknown[], argument: unknown): unknown[] {
  return [...current, ...itemsOf('$push', argument)]
}

export function addedToSet(current: unknown[], argument: unknown): unknown[] {
  const result = [...current]
  for (const item of itemsOf('$addToSet', argument)) {
    if (!result.some((known) => equalValues(known, item))) result.push(item)
  }
  return result
}

export function pulled(current: unknown[], condition: unknown): unknown[] {
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

export function popped(current: unknown[], argument: unknown): unknown[] {
  const direction = toNumber(argument)
  if (direction !== 1 && direction !== -1) {
    throw new MongoError('FailedToParse', `$pop expects 1 or -1, found: ${String(argument)}`)
  }
  return direction === 1 ? current.slice(0, -1) : current.slice(1)
}
