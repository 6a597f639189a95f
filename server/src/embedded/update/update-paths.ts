import { BSON } from 'bson'
import { type Doc, isDoc } from '../bson-values.ts'
import { MongoError, notSupported } from '../mongo-error.ts'
import { compileFilter, isOperatorDoc } from '../query/matcher.ts'
import { isArrayIndex } from '../query/paths.ts'

const MAX_PADDING = 1_500_000

/** Replaces `$` by an index, before any change to the document. `filter`: undefined for an upsert. */
export function resolvePositional(doc: Doc, parts: string[], filter: Doc | undefined): string[] {
  const at = parts.indexOf('$')
  if (at === -1) return parts
  const array = getAt(doc, parts.slice(0, at))
  const index = filter && Array.isArray(array) ? positionalIndex(array, parts.slice(0, at).join('.'), filter) : -1
  if (index === -1) {
    throw new MongoError('BadValue', 'The positional operator did not find the match needed from the query.')
  }
  return parts.with(at, String(index))
}

/** The filter may have one condition on the array: of several the order would decide. */
function positionalIndex(array: unknown[], path: string, filter: Doc): number {
  const conditions = Object.entries(filter).filter(([key]) => key === path || key.startsWith(`${path}.`))
  const [[key, operand] = ['', undefined], other] = conditions
  if (other || (isOperatorDoc(operand) && Object.keys(operand).join() !== '$in')) {
    throw notSupported(`The positional operator $ with the filter ${JSON.stringify(Object.fromEntries(conditions))}`)
  }
  if (key === '') return -1
  const test = compileFilter({ [`value${key.slice(path.length)}`]: operand })
  return array.findIndex((value) => test({ value }))
}

function childOf(value: unknown, part: string): unknown {
  if (Array.isArray(value)) return isArrayIndex(part) ? value[Number(part)] : undefined
  return isDoc(value) && Object.hasOwn(value, part) ? value[part] : undefined
}

export const getAt = (doc: Doc, parts: string[]): unknown => parts.reduce<unknown>(childOf, doc)

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
  const found = value === undefined ? 'missing' : BSON.EJSON.stringify(value as Doc, { relaxed: true })
  return new MongoError('PathNotViable', `Cannot create field '${part}' in element {${name}: ${found}}`)
}

export function unsetAt(doc: Doc, parts: string[]): void {
  const container = getAt(doc, parts.slice(0, -1))
  const last = parts.at(-1) ?? ''
  if (Array.isArray(container)) {
    // Removing an element would shift the others, so MongoDB sets null.
    if (isArrayIndex(last) && Number(last) < container.length) container[Number(last)] = null
  } else if (isDoc(container)) delete container[last]
}
