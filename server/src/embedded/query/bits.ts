import { Binary, Double, Int32, Long } from 'bson'
import { toNumber, typeNameOf } from '../bson-values.ts'
import { MongoError } from '../mongo-error.ts'
import { binaryOf } from './compare.ts'

type HasBit = (position: number) => boolean

/** `$bitsAllSet` and its kind: of integers in two's complement, and of binary data, whose first byte has the lowest bits. */
export function bitsTest(name: string, argument: unknown): (value: unknown) => boolean {
  const positions = positionsOf(name, argument)
  return (value) => {
    const has = bitsOf(value)
    if (!has) return false
    if (name === '$bitsAllSet') return positions.every(has)
    if (name === '$bitsAllClear') return !positions.some(has)
    return name === '$bitsAnySet' ? positions.some(has) : !positions.every(has)
  }
}

function bitsOf(value: unknown): HasBit | undefined {
  if (value instanceof Binary || value instanceof Uint8Array) {
    const { bytes } = binaryOf(value)
    return (position) => (((bytes[position >> 3] ?? 0) >> (position & 7)) & 1) === 1
  }
  const integer = integerOf(value)
  return integer === undefined ? undefined : (position) => ((integer >> BigInt(position)) & 1n) === 1n
}

/** Undefined for what is not an integer of 64 bits. */
function integerOf(value: unknown): bigint | undefined {
  if (value instanceof Long) return value.toBigInt()
  if (typeof value !== 'number' && !(value instanceof Int32 || value instanceof Double)) return undefined
  const number = toNumber(value)
  if (number === undefined || !Number.isInteger(number)) return undefined
  const integer = BigInt(number)
  return BigInt.asIntN(64, integer) === integer ? integer : undefined
}

function positionsOf(name: string, argument: unknown): number[] {
  if (Array.isArray(argument)) {
    return argument.map((given: unknown) => {
      const position = toNumber(given)
      if (position === undefined || !Number.isInteger(position) || position < 0) {
        throw new MongoError('BadValue', `bit positions must be integers >= 0 but got: ${String(given)}`)
      }
      return position
    })
  }
  const integer = integerOf(argument)
  if (integer !== undefined && integer < 0n) {
    throw new MongoError('BadValue', `Expected a non-negative number in: ${name}: ${integer}`)
  }
  const has = bitsOf(argument)
  if (!has) {
    throw new MongoError(
      'BadValue',
      `${name} takes an Array, a number, or a BinData but received: ${typeNameOf(argument)}`,
    )
  }
  const length = integer === undefined ? binaryOf(argument).bytes.length * 8 : 64
  return Array.from({ length }, (_, position) => position).filter(has)
}
