import { BSONRegExp, ObjectId } from 'bson'
import { type Doc, isDoc } from '../bson-values.ts'
import { MongoError } from '../mongo-error.ts'
import { isOperatorDoc } from '../query/matcher.ts'
import type { CompiledUpdate } from './compile-update.ts'
import { setAt } from './update-paths.ts'

/** Fields that the filter requires to equal a value, then the update. */
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

/** Each field may be given once, also through `$and`; of two values the order would decide. */
function addEqualities(doc: Doc, filter: Doc, given: string[] = []): void {
  for (const [key, operand] of Object.entries(filter)) {
    if (key === '$and' && Array.isArray(operand)) {
      for (const branch of operand) if (isDoc(branch)) addEqualities(doc, branch, given)
    } else if (key === '$or' && Array.isArray(operand) && operand.length === 1 && isDoc(operand[0])) {
      addEqualities(doc, operand[0], given)
    } else if (!key.startsWith('$')) {
      const value = equalityOf(operand)
      if (value === undefined) continue
      assertFirst(key, given)
      given.push(key)
      setAt(doc, key.split('.'), value)
    }
  }
}

function assertFirst(path: string, given: string[]): void {
  const other = given.find((known) => known === path || known.startsWith(`${path}.`) || path.startsWith(`${known}.`))
  if (other === undefined) return
  throw new MongoError(
    'NotSingleValueField',
    other === path
      ? `cannot infer query fields to set, path '${path}' is matched twice`
      : `cannot infer query fields to set, both paths '${path}' and '${other}' are matched`,
  )
}

function equalityOf(operand: unknown): unknown {
  if (operand instanceof BSONRegExp) return undefined
  if (!isOperatorDoc(operand)) return operand
  if ('$eq' in operand) return operand.$eq
  return Array.isArray(operand.$in) && operand.$in.length === 1 ? operand.$in[0] : undefined
}
