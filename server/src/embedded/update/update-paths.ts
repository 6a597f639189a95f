import { BSON } from 'bson'
import { type Doc, isDoc } from '../bson-values.ts'
import { MongoError } from '../mongo-error.ts'
import { compileFilter, elemMatchTest, isOperatorDoc } from '../query/matcher.ts'
import { isArrayIndex } from '../query/paths.ts'
import type { ArrayFilters } from './array-filters.ts'

export interface PathContext {
  /** For `$`; undefined when an upsert creates the document. */
  filter: Doc | undefined
  arrayFilters: ArrayFilters
}

const MAX_PADDING = 1_500_000

/** Resolves `$`, `$[]` and `$[name]` to indexes, before any change to the document. */
export function resolvePositional(doc: Doc, path: string, context: PathContext): string[][] {
  const parts = path.split('.')
  if (!path.includes('$')) return [parts]
  return resolveFrom(doc, parts, 0, context)
}

function resolveFrom(value: unknown, parts: string[], at: number, context: PathContext): string[][] {
  const part = parts[at]
  if (part === undefined) return [parts]
  if (part === '$') {
    const path = parts.slice(0, at).join('.')
    const { filter } = context
    const index = filter && Array.isArray(value) ? positionalIndex(value, path, filter) : undefined
    if (index === undefined || !Array.isArray(value)) {
      throw new MongoError('BadValue', 'The positional operator did not find the match needed from the query.')
    }
    return resolveFrom(value[index], replaced(parts, at, index), at + 1, context)
  }
  if (part.startsWith('$[') && part.endsWith(']')) {
    const path = parts.slice(0, at).join('.')
    if (value === undefined) {
      throw new MongoError('BadValue', `The path '${path}' must exist in the document in order to apply array updates.`)
    }
    if (!Array.isArray(value)) {
      throw new MongoError('BadValue', `Cannot apply array updates to non-array element ${display(path, value)}`)
    }
    const test = arrayFilter(part.slice(2, -1), parts.join('.'), context)
    return value.flatMap((item: unknown, index) =>
      test(item) ? resolveFrom(item, replaced(parts, at, index), at + 1, context) : [],
    )
  }
  return resolveFrom(childOf(value, part), parts, at + 1, context)
}

function arrayFilter(name: string, path: string, context: PathContext): (element: unknown) => boolean {
  if (name === '') return () => true
  const test = context.arrayFilters.get(name)
  if (!test) throw new MongoError('BadValue', `No array filter found for identifier '${name}' in path '${path}'`)
  return test
}

function replaced(parts: string[], at: number, index: number): string[] {
  return parts.map((part, i) => (i === at ? String(index) : part))
}

function childOf(value: unknown, part: string): unknown {
  if (Array.isArray(value)) return isArrayIndex(part) ? value[Number(part)] : undefined
  return isDoc(value) && Object.hasOwn(value, part) ? value[part] : undefined
}

export function getAt(doc: Doc, parts: string[]): unknown {
  return parts.reduce<unknown>(childOf, doc)
}

/** Creates documents on the way; refuses a path through a scalar, as MongoDB does. */
export function setAt(doc: Doc, parts: string[], value: unknown): void {
  let at: unknown = doc
  for (const [i, part] of parts.entries()) {
    if (Array.isArray(at)) assertIndex(at, part, parts, i)
    else if (!isDoc(at)) throw cannotCreateFieldError(part, parts[i - 1] ?? '', at)
    const last = i === parts.length - 1
    let next = last ? undefined : childOf(at, part)
    if (next === undefined) {
      next = last ? value : {}
      put(at as Doc, part, next)
    }
    at = next
  }
}

function put(container: Doc | unknown[], part: string, value: unknown): void {
  if (Array.isArray(container)) {
    const index = Number(part)
    while (container.length < index) container.push(null)
    container[index] = value
    return
  }
  // Assigning to __proto__ would change the prototype.
  if (part === '__proto__')
    Object.defineProperty(container, part, { value, enumerable: true, writable: true, configurable: true })
  else container[part] = value
}

function assertIndex(array: unknown[], part: string, parts: string[], at: number): void {
  if (!isArrayIndex(part)) throw cannotCreateFieldError(part, parts[at - 1] ?? '', array)
  if (Number(part) > array.length + MAX_PADDING) {
    throw new MongoError('BadValue', `can't backfill more than ${MAX_PADDING} elements`)
  }
}

function cannotCreateFieldError(part: string, name: string, value: unknown): MongoError {
  return new MongoError('PathNotViable', `Cannot create field '${part}' in element ${display(name, value)}`)
}

export function unsetAt(doc: Doc, parts: string[]): void {
  const container = getAt(doc, parts.slice(0, -1))
  const last = parts.at(-1) ?? ''
  if (Array.isArray(container)) {
    // Removing an element would shift the others, so MongoDB sets null.
    if (isArrayIndex(last) && Number(last) < container.length) container[Number(last)] = null
  } else if (isDoc(container)) delete container[last]
}

function display(name: string, value: unknown): string {
  return `{${name}: ${value === undefined ? 'missing' : BSON.EJSON.stringify(value as Doc, { relaxed: true })}}`
}

/** MongoDB evaluates conditions in this order, then by path; the last one gives the position. */
const ORDER = ['$elemMatch', '$eq', '$lte', '$lt', '$gt', '$gte', '$regex', '$in', '$type']

const WITHOUT_ELEMENT = new Set(['$ne', '$nin', '$not', '$options'])

interface Condition {
  path: string
  name: string
  /** With what belongs to it, such as `$regex` and `$options`. */
  operand: Doc
}

/** The index of the element that made the filter match, for `$`; undefined without a condition on that array. */
function positionalIndex(array: unknown[], path: string, filter: Doc): number | undefined {
  const conditions = conditionsOf(filter).sort(
    (a, b) => rank(a.name) - rank(b.name) || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0),
  )
  for (const condition of conditions.reverse()) {
    const test = elementTest(condition, path)
    const index = test ? array.findIndex(test) : -1
    if (index !== -1) return index
  }
  return undefined
}

function rank(name: string): number {
  const at = ORDER.indexOf(name)
  return at === -1 ? ORDER.length : at
}

/** One operator each. `$nor`, and `$or` of several branches, give no position. */
function conditionsOf(filter: Doc): Condition[] {
  return Object.entries(filter).flatMap(([path, operand]): Condition[] => {
    if (path === '$and' || (path === '$or' && Array.isArray(operand) && operand.length === 1)) {
      return Array.isArray(operand) ? operand.flatMap((branch) => (isDoc(branch) ? conditionsOf(branch) : [])) : []
    }
    if (path.startsWith('$')) return []
    if (!isOperatorDoc(operand)) return [{ path, name: '$eq', operand: { $in: [operand] } }]
    return Object.entries(operand).flatMap(([name, argument]): Condition[] => {
      if (WITHOUT_ELEMENT.has(name)) return []
      const options = name === '$regex' && '$options' in operand ? { $options: operand.$options } : {}
      return [{ path, name, operand: { [name]: argument, ...options } }]
    })
  })
}

function elementTest(
  { path: key, name, operand }: Condition,
  path: string,
): ((element: unknown) => boolean) | undefined {
  if (key === path) {
    if (name === '$exists') return undefined
    if (name === '$elemMatch') return elemMatchTest(operand.$elemMatch)
    const test = compileFilter({ value: operand })
    return (value) => test({ value })
  }
  if (!key.startsWith(`${path}.`)) return undefined
  const test = compileFilter({ [key.slice(path.length + 1)]: operand })
  return (element) => isDoc(element) && test(element)
}
