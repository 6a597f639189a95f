import { type Doc, isDoc, isTrue } from '../bson-values.ts'
import { topLevel } from '../field-picker.ts'
import { notSupported } from '../mongo-error.ts'
import { equalValues } from '../query/compare.ts'
import { splitPath } from '../query/paths.ts'

type Expression = (doc: Doc) => unknown

/** Compiles `$grade.score`, a constant, a list, `$eq` or `$cond`; refuses others by name. */
export function compileExpression(given: unknown): Expression {
  if (typeof given === 'string' && given.startsWith('$')) return fieldOf(given)
  if (Array.isArray(given)) {
    const parts = given.map(compileExpression)
    return (doc) => parts.map((part) => part(doc) ?? null)
  }
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

/** Unlike in a filter, a missing field does not equal null. */
function same(a: unknown, b: unknown): boolean {
  return (a === undefined) === (b === undefined) && equalValues(a, b)
}

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

/** The top-level fields it may read. */
export function fieldsOfExpression(given: unknown): string[] {
  if (typeof given === 'string') return given.startsWith('$') ? [topLevel(given.slice(1))] : []
  if (Array.isArray(given)) return given.flatMap(fieldsOfExpression)
  return isDoc(given) ? Object.values(given).flatMap(fieldsOfExpression) : []
}
