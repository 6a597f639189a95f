import { type Doc, isDoc, toNumber } from '../bson-values.ts'
import { MongoError } from '../mongo-error.ts'
import type { Hint } from '../query/find.ts'
import type { Collection } from '../storage/collection.ts'

/** The index a command names, by its name or its key, or the natural order. Refuses one that does not exist, as MongoDB does. */
export function hintOf(collection: Collection | undefined, options: Doc): Hint | undefined {
  const { hint } = options
  if (hint === undefined || hint === null || (isDoc(hint) && Object.keys(hint).length === 0)) return undefined
  if (typeof hint !== 'string' && !isDoc(hint)) {
    throw new MongoError('FailedToParse', 'hint must be either a string or nested object')
  }
  if (!collection) return undefined
  if (isDoc(hint) && '$natural' in hint) return { natural: (toNumber(hint.$natural) ?? 1) < 0 ? -1 : 1 }
  const index = collection.indexes.find((known) =>
    typeof hint === 'string' ? known.name === hint : sameKey(known.spec.key, hint),
  )
  if (index && index.spec.hidden !== true) return { index }
  throw new MongoError(
    'BadValue',
    `error processing query: ns=${collection.namespace} :: caused by :: hint provided does not correspond to an existing index`,
  )
}

function sameKey(key: unknown, hint: Doc): boolean {
  const shown = (fields: unknown) =>
    JSON.stringify(Object.entries(isDoc(fields) ? fields : {}).map(([path, kind]) => [path, toNumber(kind) ?? kind]))
  return shown(key) === shown(hint)
}
