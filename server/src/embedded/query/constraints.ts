import { type Doc, isDoc, TypeOrder, toNumber, typeOrderOf } from '../bson-values.ts'
import { isOperatorDoc } from './matcher.ts'

export interface Range {
  order: number
  low?: { value: unknown; inclusive: boolean }
  high?: { value: unknown; inclusive: boolean }
}

export interface Constraint {
  values?: unknown[]
  range?: Range
  /** Documents need not be checked. */
  exact: boolean
}

export interface Constraints {
  byPath: Map<string, Constraint>
  more: boolean
  or: Doc[] | undefined
}

const EXACT_TYPES = new Set<number>([
  TypeOrder.string,
  TypeOrder.number,
  TypeOrder.objectId,
  TypeOrder.boolean,
  TypeOrder.date,
])

export function constraintsOf(filter: Doc): Constraints {
  const result: Constraints = { byPath: new Map(), more: false, or: undefined }
  addFilter(result, filter)
  return result
}

function addFilter(result: Constraints, filter: Doc): void {
  for (const [key, operand] of Object.entries(filter)) {
    if (key === '$and' && Array.isArray(operand)) {
      for (const branch of operand) if (isDoc(branch)) addFilter(result, branch)
    } else if (key === '$or' && Array.isArray(operand) && result.or === undefined) {
      result.or = operand.filter(isDoc)
      result.more = true
    } else if (key.startsWith('$')) result.more = true
    else addPath(result, key, operand)
  }
}

function addPath(result: Constraints, path: string, operand: unknown): void {
  const found = constraintOf(operand)
  if (!found) {
    result.more = true
    return
  }
  const known = result.byPath.get(path)
  if (!known) {
    result.byPath.set(path, found)
    if (!found.exact) result.more = true
    return
  }
  // The narrower kind of two conditions on a path gives the bounds; documents are checked for the other.
  result.more = true
  if (!known.values && found.values) result.byPath.set(path, found)
}

function constraintOf(operand: unknown): Constraint | undefined {
  if (!isOperatorDoc(operand)) return equality(operand)
  let best: Constraint | undefined
  let range: Range | undefined
  let exact = true
  for (const [name, argument] of Object.entries(operand)) {
    if (name === '$eq') best ??= equality(argument) ?? best
    else if (name === '$in') best ??= membership(argument)
    else if (name === '$gt' || name === '$gte' || name === '$lt' || name === '$lte') {
      const next = narrowed(range, name, argument)
      if (next) range = next
      else exact = false
      continue
    } else exact = false
    if (!best) exact = false
  }
  const names = Object.keys(operand)
  if (best) return { ...best, exact: best.exact && exact && names.length === 1 }
  return range ? { range, exact } : undefined
}

function lookupable(value: unknown): boolean {
  const order = typeOrderOf(value)
  return order !== TypeOrder.array && order !== TypeOrder.other
}

const isExact = (value: unknown): boolean => EXACT_TYPES.has(typeOrderOf(value))

function equality(value: unknown): Constraint | undefined {
  return lookupable(value) ? { values: [value], exact: isExact(value) } : undefined
}

function membership(argument: unknown): Constraint | undefined {
  if (!Array.isArray(argument) || !argument.every(lookupable)) return undefined
  return { values: argument, exact: argument.every(isExact) }
}

function narrowed(range: Range | undefined, name: string, value: unknown): Range | undefined {
  const order = typeOrderOf(value)
  if (!EXACT_TYPES.has(order)) return undefined
  if (order === TypeOrder.number && Number.isNaN(toNumber(value))) return undefined
  if (range && range.order !== order) return undefined
  const side = name.startsWith('$g') ? 'low' : 'high'
  if (range?.[side]) return undefined
  return { ...range, order, [side]: { value, inclusive: name.endsWith('e') } }
}
