import { Double, Int32, Long } from 'bson'
import { type Doc, isDoc, isInt32, isNumeric, toNumber } from '../bson-values.ts'
import { MongoError, notSupported } from '../mongo-error.ts'
import { compareValues, equalValues } from '../query/compare.ts'
import { compileFilter, elemMatchTest, isOperatorDoc } from '../query/matcher.ts'
import { isArrayIndex, overlaps } from '../query/paths.ts'
import { getAt, resolvePositional, setAt, unsetAt } from './update-paths.ts'

export interface CompiledUpdate {
  isReplacement: boolean
  /** In place, or returns another. `inserting`: an upsert creates it. */
  apply(doc: Doc, inserting: boolean): Doc
}

export function compileUpdate(update: unknown, filter: Doc): CompiledUpdate {
  if (Array.isArray(update)) throw notSupported('An update by a pipeline')
  if (!isDoc(update)) throw new MongoError('FailedToParse', 'Update argument must be an object')
  const [first] = Object.keys(update)
  return first?.startsWith('$') ? operators(operatorEntries(update), filter) : replacement(update)
}

interface Entry {
  name: string
  parts: string[]
  argument: unknown
}

function operators(entries: Entry[], filter: Doc): CompiledUpdate {
  const changed = entries.flatMap(({ name, parts, argument }) =>
    name === '$rename' ? [String(argument).split('.'), parts] : [parts],
  )
  assertNoConflicts(changed)
  const ordered = [...entries].sort((a, b) => comparePaths(a.parts, b.parts))
  const positional = changed.some((parts) => parts.includes('$'))
  return {
    isReplacement: false,
    apply(doc, inserting) {
      const wanted = inserting ? ordered : ordered.filter((entry) => entry.name !== '$setOnInsert')
      // All positions first: changing one element must not affect them.
      const resolved = positional ? resolveAll(wanted, doc, inserting ? undefined : filter) : wanted
      for (const { name, parts, argument } of resolved) applyOperator(name, doc, parts, argument)
      return doc
    },
  }
}

function resolveAll(entries: Entry[], doc: Doc, filter: Doc | undefined): Entry[] {
  const resolved = entries.map((entry) => ({ ...entry, parts: resolvePositional(doc, entry.parts, filter) }))
  assertNoConflicts(resolved.map((entry) => entry.parts))
  return resolved.sort((a, b) => comparePaths(a.parts, b.parts))
}

function replacement(update: Doc): CompiledUpdate {
  for (const name of Object.keys(update)) {
    if (name.startsWith('$')) {
      throw new MongoError(
        'DollarPrefixedFieldName',
        `The dollar ($) prefixed field '${name}' in '${name}' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.`,
      )
    }
  }
  return {
    isReplacement: true,
    apply(doc) {
      if ('_id' in update || !('_id' in doc)) return { ...update }
      return { _id: doc._id, ...update }
    },
  }
}

function operatorEntries(update: Doc): Entry[] {
  return Object.entries(update).flatMap(([name, fields]) => {
    if (!NAMES.has(name)) throw notSupported(`The update operator ${name}`)
    if (!isDoc(fields)) {
      throw new MongoError(
        'FailedToParse',
        `Modifiers operate on fields but we found type ${typeof fields} instead. For example: {$mod: {<field>: ...}} not {${name}: ${JSON.stringify(fields)}}`,
      )
    }
    return Object.entries(fields).map(([path, argument]) => {
      assertPath(path)
      if (name !== '$rename') return { name, parts: path.split('.'), argument }
      const to = renameTarget(path, argument)
      assertPath(to)
      return { name, parts: to.split('.'), argument: path }
    })
  })
}

function assertPath(path: string): void {
  if (path === '') throw new MongoError('BadValue', 'An empty update path is not valid.')
  if (path.split('.').includes('')) {
    throw new MongoError('BadValue', `The update path '${path}' contains an empty field name, which is not allowed.`)
  }
  const positions = path.split('.').filter((part) => part.startsWith('$'))
  if (positions.length > 1 || positions.some((part) => part !== '$')) throw notSupported(`The update path '${path}'`)
}

function assertNoConflicts(paths: string[][]): void {
  const dotted = paths.map((parts) => parts.join('.'))
  for (const [i, path] of dotted.entries()) {
    const other = dotted.slice(0, i).find((known) => overlaps(known, path))
    if (other === undefined) continue
    throw new MongoError(
      'ConflictingUpdateOperators',
      `Updating the path '${path}' would create a conflict at '${other}'`,
    )
  }
}

/** MongoDB's order of changes, and so of added fields: by name, numbers by value. */
function comparePaths(a: string[], b: string[]): number {
  for (const [at, left] of a.entries()) {
    const right = b[at]
    if (right === undefined) return 1
    if (left === right) continue
    if (isArrayIndex(left) && isArrayIndex(right)) return Number(left) - Number(right)
    return Buffer.compare(Buffer.from(left), Buffer.from(right))
  }
  return a.length - b.length
}

const NAMES = new Set([
  ...['$set', '$setOnInsert', '$unset', '$rename', '$currentDate', '$inc', '$min', '$max'],
  ...['$push', '$addToSet', '$pull'],
])

/** In place, with MongoDB's error messages. `$rename` gets its new path. */
function applyOperator(name: string, doc: Doc, parts: string[], argument: unknown): void {
  if (name === '$set' || name === '$setOnInsert') setAt(doc, parts, argument)
  else if (name === '$unset') unsetAt(doc, parts)
  else if (name === '$rename') rename(doc, String(argument).split('.'), parts)
  else if (name === '$currentDate') setAt(doc, parts, now(argument))
  else {
    const next = computed(name, doc, parts.join('.'), getAt(doc, parts), argument)
    if (next !== undefined) setAt(doc, parts, next)
  }
}

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
  if (name === '$push') return [...array, ...itemsOf(name, argument)]
  if (name === '$addToSet') return addedToSet(array, argument)
  const test = pullTest(argument)
  return array.filter((item) => !test(item))
}

function incremented(doc: Doc, path: string, current: unknown, argument: unknown): unknown {
  if (!isNumeric(argument)) {
    const shown = `{${path}: ${JSON.stringify(argument)}}`
    throw new MongoError('TypeMismatch', `Cannot increment with non-numeric argument: ${shown}`)
  }
  if (current === undefined) return argument
  if (isNumeric(current)) return added(current, argument)
  const found = `{_id: ${JSON.stringify(doc._id)}} has the field '${path}'`
  throw new MongoError('TypeMismatch', `Cannot apply $inc to a value of non-numeric type. ${found}`)
}

function now(argument: unknown): Date {
  if (argument === true) return new Date()
  throw notSupported(`$currentDate of ${JSON.stringify(argument)}`)
}

/** In the wider of both types; ints overflow to longs, longs are refused. */
function added(a: unknown, b: unknown): unknown {
  if (!isWhole(a) || !isWhole(b)) return new Double((toNumber(a) ?? 0) + (toNumber(b) ?? 0))
  const sum = BigInt(String(a)) + BigInt(String(b))
  if (BigInt.asIntN(64, sum) !== sum) {
    throw new MongoError('BadValue', 'Failed to apply $inc operations to current value: the result overflows')
  }
  const long = a instanceof Long || b instanceof Long || !isInt32(Number(sum))
  return long ? Long.fromBigInt(sum) : new Int32(Number(sum))
}

const isWhole = (value: unknown) => value instanceof Int32 || value instanceof Long

function assertArray(name: string, path: string, current: unknown): asserts current is unknown[] {
  if (Array.isArray(current)) return
  throw new MongoError('BadValue', `Cannot apply ${name} to non-array field '${path}'`)
}

function itemsOf(name: string, argument: unknown): unknown[] {
  if (!isOperatorDoc(argument)) return [argument]
  const other = Object.keys(argument).find((modifier) => modifier !== '$each')
  if (other !== undefined) throw notSupported(`${other} in ${name}`)
  if (Array.isArray(argument.$each)) return argument.$each
  throw new MongoError('BadValue', `The argument to $each in ${name} must be an array`)
}

function addedToSet(current: unknown[], argument: unknown): unknown[] {
  const result = [...current]
  for (const item of itemsOf('$addToSet', argument)) {
    if (!result.some((known) => equalValues(known, item))) result.push(item)
  }
  return result
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

function renameTarget(from: string, argument: unknown): string {
  const plain = typeof argument === 'string' && !`${from}${argument}`.includes('$')
  if (plain && !overlaps(from, argument)) return argument
  throw notSupported(`$rename of ${from} to ${JSON.stringify(argument)}`)
}

function rename(doc: Doc, from: string[], to: string[]): void {
  const value = getAt(doc, from)
  if (value === undefined) return
  const isElement = (parts: string[]) => parts.some((_, at) => Array.isArray(getAt(doc, parts.slice(0, at))))
  if (isElement(from) || isElement(to)) throw notSupported('$rename within an array')
  unsetAt(doc, from)
  setAt(doc, to, value)
}
