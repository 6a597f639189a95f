import { Decimal128, Long, ObjectId } from 'bson'
import { toNumber } from '../bson-values.ts'
import { KeyWriter } from '../storage/key-encoding.ts'

const writer = new KeyWriter()

/** The same text for values that are equal, and another for others: 2, a Long 2 and a Decimal128 2 are one group. */
export function identityKey(value: unknown): string {
  if (typeof value === 'string') return `s${value}`
  if (typeof value === 'number' && (Number.isSafeInteger(value) || !Number.isInteger(value))) return `n${value + 0}`
  if (value === null || value === undefined) return '0'
  if (typeof value === 'boolean') return value ? 't' : 'f'
  if (value instanceof ObjectId) return `o${Buffer.from(value.id).toString('latin1')}`
  if (value instanceof Date) return `d${value.getTime()}`
  if (value instanceof Decimal128) return decimalKey(value)
  return encodedKey(value)
}

function encodedKey(value: unknown): string {
  return `k${writer.reset().add(value).finish().toString('latin1')}`
}

/** Most decimals have no equal among the doubles, and are more exact than their key in an index. */
function decimalKey(value: Decimal128): string {
  const text = value
    .toString()
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '')
  const number = toNumber(value) ?? 0
  if (String(number) !== text) return `D${text}`
  return Number.isInteger(number) && !Number.isSafeInteger(number) ? encodedKey(Long.fromNumber(number)) : `n${text}`
}
