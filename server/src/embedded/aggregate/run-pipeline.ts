import { type Doc, decode, isDoc, isTrue, notComparable, TypeOrder, toNumber, typeOrderOf } from '../bson-values.ts'
import { checkpoint } from '../command-limits.ts'
import { fieldPicker, topLevel } from '../field-picker.ts'
import { MongoError, notSupported } from '../mongo-error.ts'
import { compareValues, equalValues } from '../query/compare.ts'
import { countStored, type FindSpec, findStored } from '../query/find.ts'
import { compileFilter } from '../query/matcher.ts'
import { splitPath } from '../query/paths.ts'
import type { Collection } from '../storage/collection.ts'
import { KeyWriter } from '../storage/key-encoding.ts'

/** Runs lazily. `$match`, `$skip` and `$limit` are a find, so they come first. */
export function runPipeline(collection: Collection | undefined, pipeline: unknown): Iterable<Doc> {
  if (!Array.isArray(pipeline)) throw new MongoError('TypeMismatch', "'pipeline' option must be specified as an array")
  const stages = pipeline.map(stageOf)
  const spec: FindSpec = { filter: {} }
  let at = 0
  if (stages[at]?.name === '$match') spec.filter = docOf('$match', stages[at++]?.argument)
  if (stages[at]?.name === '$skip') spec.skip = wholeNumber('$skip', stages[at++]?.argument)
  if (stages[at]?.name === '$limit') spec.limit = wholeNumber('$limit', stages[at++]?.argument)
  const rest = stages.slice(at)
  // Throws now, not when the first document is read.
  compileFilter(spec.filter)
  const groups = rest.map(({ name, argument }) => {
    if (name === '$group') return compileGroup(docOf(name, argument))
    throw notSupported(`The pipeline stage ${name} here`)
  })
  const [first, second] = rest
  const count = first && !second ? countsOnly(first.argument) : undefined
  if (count) return counted(collection ? countStored(collection, spec) : 0, count)
  // A group needs few of a document's fields.
  const read = first ? fieldPicker(fieldsOfExpression(first.argument)) : decode
  const docs = collection ? decoded(collection, spec, read) : []
  return groups.reduce((current, group) => group(current), docs as Iterable<Doc>)
}

function stageOf(given: unknown) {
  const [name, other] = isDoc(given) ? Object.keys(given) : []
  if (!isDoc(given) || name === undefined || other !== undefined) {
    throw new MongoError('Location40324', 'A pipeline stage specification object must contain exactly one field.')
  }
  return { name, argument: given[name] }
}

function* decoded(collection: Collection, spec: FindSpec, read: (bytes: Uint8Array) => Doc): Generator<Doc> {
  for (const row of findStored(collection, spec)) yield read(row.bytes)
}

function* counted(count: number, { id, field }: { id: unknown; field: string }): Generator<Doc> {
  if (count > 0) yield { _id: id, [field]: count }
}

function docOf(name: string, argument: unknown): Doc {
  if (isDoc(argument)) return argument
  throw new MongoError('BadValue', `the ${name} stage specification must be an object`)
}

function wholeNumber(name: string, argument: unknown): number {
  const number = toNumber(argument)
  const least = name === '$limit' ? 1 : 0
  if (number !== undefined && Number.isInteger(number) && number >= least) return number
  throw new MongoError('BadValue', `invalid argument to ${name} stage: Expected a whole number of at least ${least}`)
}

type Accumulator = (state: unknown, value: unknown) => unknown

const ACCUMULATORS: Record<string, { add: Accumulator; empty: unknown }> = {
  $sum: { add: (sum, value) => Number(sum ?? 0) + numberOf(value), empty: 0 },
  $min: { add: (least, value) => (isLess(value, least) ? value : least), empty: null },
  $first: { add: (first, value) => (first === undefined ? (value ?? null) : first), empty: null },
}

/** Non-numbers count as nothing. */
function numberOf(value: unknown): number {
  if (typeOrderOf(value) === TypeOrder.other) throw notComparable(value)
  return toNumber(value) ?? 0
}

function isLess(value: unknown, least: unknown): boolean {
  if (value === null || value === undefined) return false
  return least === undefined || compareValues(value, least) < 0
}

/** Groups are held in memory, some 250 bytes each. */
const MAX_GROUPS = 1_000_000
const writer = new KeyWriter()

function compileGroup(spec: Doc): (docs: Iterable<Doc>) => Iterable<Doc> {
  const { _id: id, ...others } = spec
  const idOf = compileExpression(id)
  const fields = Object.entries(others).map(([name, given]) => {
    const [operator = '', other] = isDoc(given) ? Object.keys(given) : []
    const accumulator = Object.hasOwn(ACCUMULATORS, operator) ? ACCUMULATORS[operator] : undefined
    if (!isDoc(given) || !accumulator || other !== undefined) throw notSupported(`$group by ${JSON.stringify(given)}`)
    return { name, ...accumulator, read: compileExpression(given[operator]) }
  })
  return function* (docs) {
    const groups = new Map<string, { id: unknown; states: unknown[] }>()
    for (const doc of docs) {
      checkpoint()
      const found = idOf(doc) ?? null
      const key = writer.reset().add(found).finish().toString('latin1')
      let group = groups.get(key)
      if (!group) {
        if (groups.size === MAX_GROUPS) throw new MongoError('ExceededMemoryLimit', '$group has too many groups')
        group = { id: found, states: fields.map(() => undefined) }
        groups.set(key, group)
      }
      for (const [at, { add, read }] of fields.entries()) group.states[at] = add(group.states[at], read(doc))
    }
    for (const group of groups.values()) {
      yield {
        _id: group.id,
        ...Object.fromEntries(fields.map(({ name, empty }, at) => [name, group.states[at] ?? empty])),
      }
    }
  }
}

/** Recognises `countDocuments`: `{_id: 1, n: {$sum: 1}}`. */
function countsOnly(spec: unknown): { id: unknown; field: string } | undefined {
  if (!isDoc(spec) || typeof spec._id === 'object' || typeof spec._id === 'string') return undefined
  const [field, ...others] = Object.keys(spec).filter((name) => name !== '_id')
  const sum = field === undefined ? undefined : spec[field]
  if (field === undefined || others.length > 0 || !isDoc(sum) || sum.$sum !== 1) return undefined
  return { id: spec._id, field }
}

type Expression = (doc: Doc) => unknown

/** `$grade.score`, a constant, `$eq` or `$cond`; refuses others by name. */
function compileExpression(given: unknown): Expression {
  if (typeof given === 'string' && given.startsWith('$')) return fieldOf(given)
  if (Array.isArray(given)) throw notSupported('A list')
  if (!isDoc(given)) return () => given
  const [name = '', ...others] = Object.keys(given)
  const operands = Array.isArray(given[name]) ? given[name].map(compileExpression) : []
  const [first, second, third] = operands
  if (others.length === 0 && first && second) {
    if (name === '$eq' && operands.length === 2) return (doc) => same(first(doc), second(doc))
    if (name === '$cond' && third) return (doc) => (isTrue(first(doc)) ? second(doc) : third(doc))
  }
  throw notSupported(`The expression ${JSON.stringify(given)}`)
}

const same = (a: unknown, b: unknown): boolean => (a === undefined) === (b === undefined) && equalValues(a, b)

function fieldOf(path: string): Expression {
  if (path.startsWith('$$')) throw notSupported(`The variable ${path}`)
  const parts = splitPath(path.slice(1))
  return (doc) => valueAt(doc, parts, 0)
}

/** An array on the way gives its elements' values. */
function valueAt(value: unknown, parts: string[], from: number): unknown {
  const part = parts[from]
  if (part === undefined) return value
  if (Array.isArray(value)) return value.map((item) => valueAt(item, parts, from)).filter((item) => item !== undefined)
  return isDoc(value) && Object.hasOwn(value, part) ? valueAt(value[part], parts, from + 1) : undefined
}

function fieldsOfExpression(given: unknown): string[] {
  if (typeof given === 'string') return given.startsWith('$') ? [topLevel(given.slice(1))] : []
  if (Array.isArray(given)) return given.flatMap(fieldsOfExpression)
  return isDoc(given) ? Object.values(given).flatMap(fieldsOfExpression) : []
}
