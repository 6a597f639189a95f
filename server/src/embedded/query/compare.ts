import type { ObjectId } from 'bson'
import { type Doc, notComparable, TypeOrder, toNumber, typeOrderOf } from '../bson-values.ts'

export function compareValues(a: unknown, b: unknown): number {
  if (a === b) return 0
  const order = typeOrderOf(a)
  const other = typeOrderOf(b)
  if (order !== other) return order - other
  switch (order) {
    case TypeOrder.number:
      return compareNumbers(a, b)
    case TypeOrder.string:
      return compareStrings(String(a), String(b))
    case TypeOrder.boolean:
    case TypeOrder.date:
      return Number(a) - Number(b)
    case TypeOrder.objectId:
      return Buffer.compare((a as ObjectId).id, (b as ObjectId).id)
    case TypeOrder.array:
      return compareArrays(a as unknown[], b as unknown[])
    case TypeOrder.object:
      return compareDocs(a as Doc, b as Doc)
    case TypeOrder.null:
      return 0
    default:
      throw notComparable(a)
  }
}

export const equalValues = (a: unknown, b: unknown): boolean => compareValues(a, b) === 0

function compareNumbers(a: unknown, b: unknown): number {
  const x = toNumber(a) ?? 0
  const y = toNumber(b) ?? 0
  if (x < y) return -1
  if (x > y) return 1
  if (x === y) return 0
  // NaN sorts before every other number and equals itself.
  return Number(Number.isNaN(y)) - Number(Number.isNaN(x))
}

/** By UTF-8 bytes. UTF-16 order differs only where one side has a surrogate. */
function compareStrings(a: string, b: string): number {
  if (a === b) return 0
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i)
    const y = b.charCodeAt(i)
    if (x === y) continue
    const xSurrogate = x >= 0xd800 && x <= 0xdfff
    const ySurrogate = y >= 0xd800 && y <= 0xdfff
    if (xSurrogate !== ySurrogate) return xSurrogate ? 1 : -1
    return x - y
  }
  return a.length - b.length
}

function compareArrays(a: unknown[], b: unknown[]): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const difference = compareValues(a[i], b[i])
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

function compareDocs(a: Doc, b: Doc): number {
  const keysA = Object.keys(a)
  const keysB = Object.keys(b)
  const length = Math.min(keysA.length, keysB.length)
  for (let i = 0; i < length; i++) {
    const [keyA, keyB] = [keysA[i] ?? '', keysB[i] ?? '']
    const types = typeOrderOf(a[keyA]) - typeOrderOf(b[keyB])
    if (types !== 0) return types
    const names = compareStrings(keyA, keyB)
    if (names !== 0) return names
    const values = compareValues(a[keyA], b[keyB])
    if (values !== 0) return values
  }
  return keysA.length - keysB.length
}
