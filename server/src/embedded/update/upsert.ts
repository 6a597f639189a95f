import { ObjectId } from 'bson'
import { type Doc, isDoc } from '../bson-values.ts'
import { isOperatorDoc } from '../query/matcher.ts'
import type { CompiledUpdate } from './compile-update.ts'
import { setAt } from './update-paths.ts'

/** The document an upsert inserts: the fields that the filter requires to equal a value, then the update. */
export function upsertedDoc(filter: Doc, compiled: CompiledUpdate): Doc {
  const start: Doc = {}
  addEqualities(start, filter)
  if (compiled.isReplacement) {
    const doc = compiled.apply('_id' in start ? { _id: start._id } : {}, true)
    return withId(doc)
  }
  return withId(compiled.apply(start, true))
}

function withId(doc: Doc): Doc {
  return doc._id === undefined ? { _id: new ObjectId(), ...doc } : doc
}

function addEqualities(doc: Doc, filter: Doc): void {
  for (const [key, operand] of Object.entries(filter)) {
    if (key === '$and' && Array.isArray(operand)) {
      for (const branch of operand) if (isDoc(branch)) addEqualities(doc, branch)
    } else if (key === '$or' && Array.isArray(operand) && operand.length === 1 && isDoc(operand[0])) {
      addEqualities(doc, operand[0])
    } else if (!key.startsWith('$')) {
      const value = equalityOf(operand)
      if (value !== undefined) setAt(doc, key.split('.'), value)
    }
  }
}

function equalityOf(operand: unknown): unknown {
  if (operand instanceof RegExp || (isTagged(operand) && operand._bsontype === 'BSONRegExp')) return undefined
  if (!isOperatorDoc(operand)) return operand
  if ('$eq' in operand) return operand.$eq
  const only: unknown = '$in' in operand ? operand.$in : '$all' in operand ? operand.$all : undefined
  return Array.isArray(only) && only.length === 1 ? only[0] : undefined
}

function isTagged(value: unknown): value is { _bsontype: string } {
  return typeof value === 'object' && value !== null && '_bsontype' in value
}
