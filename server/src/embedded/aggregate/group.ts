import { Decimal128, Long } from 'bson'
import { type Doc, isDoc, isNumeric, toNumber } from '../bson-values.ts'
import { checkpoint } from '../command-limits.ts'
import { MongoError, notSupported } from '../mongo-error.ts'
import { compareValues } from '../query/compare.ts'
import { KeyWriter } from '../storage/key-encoding.ts'
import { compileExpression } from './expression.ts'

/** `state` is undefined before the first value. */
type Accumulator = (state: unknown, value: unknown) => unknown

const ACCUMULATORS: Record<string, { add: Accumulator; empty: unknown }> = {
  $sum: { add: (sum, value) => Number(sum ?? 0) + numberOf(value), empty: 0 },
  $min: { add: (least, value) => (isLess(value, least) ? value : least), empty: null },
  $first: { add: (first, value) => (first === undefined ? (value ?? null) : first), empty: null },
}

/** Non-numbers count as nothing. JavaScript's numbers would lose digits of a large Long or a Decimal128. */
function numberOf(value: unknown): number {
  if (value instanceof Decimal128 || (value instanceof Long && isNumeric(value))) {
    throw notSupported('$sum of Decimal128 or of integers beyond 2^53')
  }
  return toNumber(value) ?? 0
}

function isLess(value: unknown, least: unknown): boolean {
  if (value === null || value === undefined) return false
  return least === undefined || compareValues(value, least) < 0
}

/** Groups are held in memory, some 250 bytes each. */
const MAX_GROUPS = 1_000_000
const writer = new KeyWriter()

export function compileGroup(spec: Doc): (docs: Iterable<Doc>) => Iterable<Doc> {
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

/** Recognises `countDocuments`: `{_id: 1, n: {$sum: 1}}`; undefined for any other group. */
export function countsOnly(spec: unknown): { id: unknown; field: string } | undefined {
  if (!isDoc(spec) || typeof spec._id === 'object' || typeof spec._id === 'string') return undefined
  const [field, ...others] = Object.keys(spec).filter((name) => name !== '_id')
  const sum = field === undefined ? undefined : spec[field]
  if (field === undefined || others.length > 0 || !isDoc(sum) || sum.$sum !== 1) return undefined
  return { id: spec._id, field }
}
