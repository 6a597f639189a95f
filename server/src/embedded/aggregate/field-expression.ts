import { type Doc, isDoc } from '../bson-values.ts'
import { topLevel } from '../field-picker.ts'
import { compileExpression } from '../query/expression.ts'

/** As `compileExpression`, with a short way for what most groups are made of: a field, or a constant. */
export function fieldExpression(expression: unknown, variables: Doc | undefined): (doc: Doc) => unknown {
  if (expression === null || typeof expression === 'number' || typeof expression === 'boolean') return () => expression
  if (typeof expression === 'string' && /^\$[a-z][\w]*$/i.test(expression)) {
    const field = expression.slice(1)
    return (doc) => (Object.hasOwn(doc, field) ? doc[field] : undefined)
  }
  return compileExpression(expression, variables)
}

/** Operators that read fields named otherwise than by a `$path`. */
const READS_ANY = new Set(['$getField', '$setField', '$unsetField', '$top', '$topN', '$bottom', '$bottomN'])

/** Top-level fields that an expression may read; undefined when it may read any, as with `$$ROOT`. */
export function fieldsOfExpression(expression: unknown): string[] | undefined {
  if (typeof expression === 'string') {
    if (!expression.startsWith('$')) return []
    return expression.startsWith('$$') ? undefined : [topLevel(expression.slice(1))]
  }
  if (isDoc(expression) && Object.keys(expression).some((name) => READS_ANY.has(name))) return undefined
  const parts: unknown[] = Array.isArray(expression) ? expression : isDoc(expression) ? Object.values(expression) : []
  const fields: string[] = []
  for (const part of parts) {
    const inner = fieldsOfExpression(part)
    if (!inner) return undefined
    fields.push(...inner)
  }
  return fields
}
