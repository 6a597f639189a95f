import { Binary, BSON, BSONRegExp, Decimal128, Double, Int32, Long, MaxKey, MinKey, ObjectId, Timestamp } from 'bson'

export type Doc = Record<string, unknown>

/** Longs beyond 2^53 stay Longs; regular expressions stay BSON, as not all can be expressed. */
export function decode(bytes: Uint8Array): Doc {
  return BSON.deserialize(bytes, { promoteBuffers: false, bsonRegExp: true })
}

/** Keeps BSON types for documents that are written back: Double 5.0 must not become an int. */
export function decodeExact(bytes: Uint8Array): Doc {
  return BSON.deserialize(bytes, { promoteValues: false, promoteLongs: false, bsonRegExp: true })
}

export const encode = (doc: Doc): Uint8Array => BSON.serialize(doc, { ignoreUndefined: true, checkKeys: false })

export function isDoc(value: unknown): value is Doc {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return (
    !('_bsontype' in value) && !(value instanceof Date) && !(value instanceof RegExp) && !(value instanceof Uint8Array)
  )
}

export function isNumeric(value: unknown): value is number | bigint | Int32 | Double | Long | Decimal128 {
  if (typeof value === 'number' || typeof value === 'bigint') return true
  return (
    value instanceof Int32 ||
    value instanceof Double ||
    value instanceof Decimal128 ||
    (value instanceof Long && !(value instanceof Timestamp))
  )
}

/** Undefined when the value is not a number. Loses digits past 2^53. */
export function toNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  if (!isNumeric(value)) return undefined
  return Number(value instanceof Int32 || value instanceof Double ? value.value : value.toString())
}

/** All but false, null, missing and zero of any type, as in MongoDB. */
export function isTrue(value: unknown): boolean {
  return value !== false && value !== null && value !== undefined && toNumber(value) !== 0
}

/** Types that are compared with each other share a number. */
export const TypeOrder = {
  minKey: 1,
  emptyArray: 2,
  null: 3,
  number: 4,
  string: 5,
  object: 6,
  array: 7,
  binary: 8,
  objectId: 9,
  boolean: 10,
  date: 11,
  timestamp: 12,
  regex: 13,
  code: 14,
  maxKey: 250,
} as const

export function typeOrderOf(value: unknown): number {
  switch (typeof value) {
    case 'string':
      return TypeOrder.string
    case 'number':
    case 'bigint':
      return TypeOrder.number
    case 'boolean':
      return TypeOrder.boolean
    case 'undefined':
      return TypeOrder.null
    default:
      return value === null ? TypeOrder.null : orderOfObject(value as object)
  }
}

function orderOfObject(value: object): number {
  if (Array.isArray(value)) return TypeOrder.array
  if (value instanceof Date) return TypeOrder.date
  if (value instanceof RegExp || value instanceof BSONRegExp) return TypeOrder.regex
  if (value instanceof ObjectId) return TypeOrder.objectId
  if (value instanceof Timestamp) return TypeOrder.timestamp
  if (isNumeric(value)) return TypeOrder.number
  if (value instanceof Binary || value instanceof Uint8Array) return TypeOrder.binary
  if (value instanceof MinKey) return TypeOrder.minKey
  if (value instanceof MaxKey) return TypeOrder.maxKey
  if ('_bsontype' in value) return value._bsontype === 'BSONSymbol' ? TypeOrder.string : TypeOrder.code
  return TypeOrder.object
}

const TYPE_NAMES = new Map<number, string>([
  [TypeOrder.string, 'string'],
  [TypeOrder.object, 'object'],
  [TypeOrder.array, 'array'],
  [TypeOrder.binary, 'binData'],
  [TypeOrder.objectId, 'objectId'],
  [TypeOrder.boolean, 'bool'],
  [TypeOrder.date, 'date'],
  [TypeOrder.null, 'null'],
  [TypeOrder.regex, 'regex'],
  [TypeOrder.timestamp, 'timestamp'],
  [TypeOrder.minKey, 'minKey'],
  [TypeOrder.maxKey, 'maxKey'],
  [TypeOrder.code, 'javascript'],
])

export function typeNameOf(value: unknown): string {
  if (value === undefined) return 'missing'
  if (value instanceof Int32) return 'int'
  if (value instanceof Double) return 'double'
  if (value instanceof Decimal128) return 'decimal'
  if (typeof value === 'bigint' || (value instanceof Long && !(value instanceof Timestamp))) return 'long'
  if (typeof value === 'number') return isInt32(value) ? 'int' : 'double'
  return TYPE_NAMES.get(typeOrderOf(value)) ?? 'unknown'
}

export function isInt32(value: number): boolean {
  return Number.isInteger(value) && value >= -2147483648 && value <= 2147483647 && !Object.is(value, -0)
}
