import { type Doc, isDoc, toNumber } from '../bson-values.ts'
import { MongoError } from '../mongo-error.ts'
import { type Direction, type IndexShape, type KeyMaker, keyMaker } from './index-keys.ts'

export interface IndexInfo extends IndexShape {
  id: number
  name: string
  unique: boolean
  expireAfterSeconds: number | undefined
  /** Fields whose path crosses an array in some document. Never shrinks. */
  arrayFields: number[]
  makeKeys: KeyMaker
  spec: Doc
}

const KNOWN = new Set([
  'v',
  'key',
  'name',
  'unique',
  'sparse',
  'background',
  'partialFilterExpression',
  'expireAfterSeconds',
])

export function parseIndexSpec(spec: Doc): Doc {
  if (!isDoc(spec.key) || Object.keys(spec.key).length === 0) {
    throw new MongoError('CannotCreateIndex', 'Index keys cannot be empty.')
  }
  for (const [path, kind] of Object.entries(spec.key)) {
    if (typeof kind === 'string') {
      throw new MongoError('CannotCreateIndex', `Index type '${kind}' is not supported by the embedded database`)
    }
    if (path.includes('$**')) {
      throw new MongoError('CannotCreateIndex', 'Wildcard indexes are not supported by the embedded database')
    }
    if (!toNumber(kind)) {
      throw new MongoError('CannotCreateIndex', 'Values in the index key pattern cannot be 0.')
    }
  }
  for (const option of Object.keys(spec)) {
    if (option === 'collation' && isDoc(spec.collation) && spec.collation.locale === 'simple') continue
    if (!KNOWN.has(option)) {
      throw new MongoError('InvalidOptions', `The index option '${option}' is not supported by the embedded database`)
    }
  }
  return spec
}

export function describeIndex(id: number, spec: Doc, arrayFields: number[]): IndexInfo {
  const key = spec.key as Doc
  const fields = Object.entries(key).map(([path, direction]) => ({
    path,
    direction: ((toNumber(direction) ?? 1) < 0 ? -1 : 1) as Direction,
  }))
  const shape: IndexShape = {
    fields,
    sparse: spec.sparse === true,
    partial: isDoc(spec.partialFilterExpression) ? spec.partialFilterExpression : undefined,
  }
  return {
    ...shape,
    id,
    name: String(spec.name),
    unique: spec.unique === true || spec.name === '_id_',
    expireAfterSeconds: toNumber(spec.expireAfterSeconds),
    arrayFields,
    makeKeys: keyMaker(shape),
    spec,
  }
}
