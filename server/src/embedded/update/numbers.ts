import { Decimal128, Double, Int32, Long } from 'bson'
import { isInt32, isNumeric, toNumber } from '../bson-values.ts'
import { MongoError, notSupported } from '../mongo-error.ts'

/** In the wider of both types; ints overflow to longs, longs are refused. */
export function added(a: unknown, b: unknown): unknown {
  if (a instanceof Decimal128 || b instanceof Decimal128) throw notSupported('$inc of Decimal128')
  if (!isWhole(a) || !isWhole(b)) return new Double((toNumber(a) ?? 0) + (toNumber(b) ?? 0))
  const sum = BigInt(String(a)) + BigInt(String(b))
  if (BigInt.asIntN(64, sum) !== sum) {
    throw new MongoError('BadValue', 'Failed to apply $inc operations to current value: the result overflows')
  }
  const long = a instanceof Long || b instanceof Long || !isInt32(Number(sum))
  return long ? Long.fromBigInt(sum) : new Int32(Number(sum))
}

function isWhole(value: unknown): boolean {
  return value instanceof Int32 || value instanceof Long
}

export function assertNumericArgument(path: string, value: unknown): void {
  if (isNumeric(value)) return
  throw new MongoError(
    'TypeMismatch',
    `Cannot increment with non-numeric argument: {${path}: ${JSON.stringify(value)}}`,
  )
}
