import { Decimal128, Double, Int32, Long } from 'bson'
import { isInt32, isNumeric, toNumber } from '../bson-values.ts'
import { MongoError } from '../mongo-error.ts'

type Rank = 'int' | 'long' | 'double' | 'decimal'

function rankOf(value: unknown): Rank {
  if (value instanceof Decimal128) return 'decimal'
  if (value instanceof Double) return 'double'
  if (value instanceof Long) return 'long'
  if (value instanceof Int32) return 'int'
  return typeof value === 'number' && isInt32(value) ? 'int' : 'double'
}

const RANKS: Rank[] = ['int', 'long', 'double', 'decimal']

/** Adds or multiplies as MongoDB does: in the wider of both types; ints overflow to longs, longs are refused. */
export function calculate(name: '$inc' | '$mul', a: unknown, b: unknown): unknown {
  const rank = RANKS[Math.max(RANKS.indexOf(rankOf(a)), RANKS.indexOf(rankOf(b)))]
  if (rank === 'decimal') return decimal(name, a, b)
  const [x, y] = [toNumber(a) ?? 0, toNumber(b) ?? 0]
  if (rank === 'double') return new Double(name === '$inc' ? x + y : x * y)
  const [left, right] = [integer(a), integer(b)]
  const result = name === '$inc' ? left + right : left * right
  if (BigInt.asIntN(64, result) !== result) {
    throw new MongoError('BadValue', `Failed to apply ${name} operations to current value: the result overflows`)
  }
  if (rank === 'int' && isInt32(Number(result))) return new Int32(Number(result))
  return Long.fromBigInt(result)
}

function integer(value: unknown): bigint {
  return value instanceof Long ? value.toBigInt() : BigInt(toNumber(value) ?? 0)
}

/** Decimals as scaled integers, so that results are exact. */
function decimal(name: '$inc' | '$mul', a: unknown, b: unknown): Decimal128 {
  const [x, y] = [scaled(a), scaled(b)]
  if (!x || !y) return Decimal128.fromString(String((toNumber(a) ?? 0) + (toNumber(b) ?? 0)))
  if (name === '$mul') return decimalOf(x.digits * y.digits, x.exponent + y.exponent)
  const exponent = Math.min(x.exponent, y.exponent)
  const sum = x.digits * 10n ** BigInt(x.exponent - exponent) + y.digits * 10n ** BigInt(y.exponent - exponent)
  return decimalOf(sum, exponent)
}

function decimalOf(digits: bigint, exponent: number): Decimal128 {
  return Decimal128.fromStringWithRounding(`${digits}E${exponent}`)
}

function scaled(value: unknown): { digits: bigint; exponent: number } | undefined {
  const text = value instanceof Decimal128 || value instanceof Long ? value.toString() : String(toNumber(value))
  const parts = /^(-?)(\d+)(?:\.(\d*))?(?:[Ee]([+-]?\d+))?$/.exec(text)
  if (!parts) return undefined
  const fraction = parts[3] ?? ''
  const digits = BigInt(`${parts[2]}${fraction}`)
  return { digits: parts[1] ? -digits : digits, exponent: Number(parts[4] ?? 0) - fraction.length }
}

export function assertNumericArgument(name: string, path: string, value: unknown): void {
  if (isNumeric(value)) return
  const verb = name === '$inc' ? 'increment' : 'multiply'
  throw new MongoError('TypeMismatch', `Cannot ${verb} with non-numeric argument: {${path}: ${JSON.stringify(value)}}`)
}
