import { BSON, Double, Int32, Long, ObjectId, Timestamp } from 'bson'
import { type MongoError, notSupported } from './mongo-error.ts'

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

export function isNumeric(value: unknown): value is number | bigint | Int32 | Double | Long {
  if (typeof value === 'number' || typeof value === 'bigint') return true
  return value instanceof Int32 || value instanceof Double || (value instanceof Long && !(value instanceof Timestamp))
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

/** Types that are compared with each other share a number. Values of `other` types are stored, but not compared. */
export const TypeOrder = {
  emptyArray: 2,
  null: 3,
  number: 4,
  string: 5,
  object: 6,
  array: 7,
  objectId: 9,
  boolean: 10,
  date: 11,
  other: 250,
} as const

export function typeOrderOf(value: unknown): number {
  if (typeof value === 'string') return TypeOrder.string
  if (value === null || value === undefined) return TypeOrder.null
  if (typeof value === 'boolean') return TypeOrder.boolean
  if (isNumeric(value)) return TypeOrder.number
  if (Array.isArray(value)) return TypeOrder.array
  if (value instanceof Date) return TypeOrder.date
  if (value instanceof ObjectId) return TypeOrder.objectId
  return isDoc(value) ? TypeOrder.object : TypeOrder.other
}

/** For what Assay stores, but never asks by: bytes, regular expressions, decimals, timestamps. */
export const notComparable = (value: unknown): MongoError =>
  notSupported(`Comparing a value of type ${value instanceof Object ? value.constructor.name : typeof value}`)

export function isInt32(value: number): boolean {
  return Number.isInteger(value) && value >= -2147483648 && value <= 2147483647 && !Object.is(value, -0)
}
