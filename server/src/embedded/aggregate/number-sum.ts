import { Decimal128, Long } from 'bson'
import { isNumeric, toNumber } from '../bson-values.ts'
import { MongoError } from '../mongo-error.ts'

/** Pipelines compute with JavaScript numbers; where those would lose digits, a Long is computed exactly and the rest is refused. */
export function notExact(what: string): MongoError {
  return new MongoError('CommandNotSupported', `${what} is not supported by the embedded database`)
}

/** A number kept as JavaScript has none for it: a Long beyond 2^53 or a Decimal128. */
export function isBeyondNumbers(value: unknown): boolean {
  return (value instanceof Long && isNumeric(value)) || value instanceof Decimal128
}

/** The sum of numbers, one at a time: exact for integers, and for doubles with the error of each addition carried along, as in MongoDB. */
export class NumberSum {
  readonly #name: string
  #small = 0
  #integers = 0n
  #hasLong = false
  #hasDouble = false
  #high = 0
  #low = 0
  #special = 0
  count = 0

  constructor(name: string) {
    this.#name = name
  }

  /** Ignores what is not a number. */
  add(value: unknown): void {
    if (value instanceof Decimal128) throw notExact(`${this.#name} of Decimal128`)
    if (!isNumeric(value)) return
    this.count++
    if (value instanceof Long) {
      this.#hasLong ||= !Number.isSafeInteger(Number(value.toString()))
      this.#integers += value.toBigInt()
      return
    }
    const number = toNumber(value) ?? 0
    if (Number.isSafeInteger(number)) {
      const next = this.#small + number
      if (Number.isSafeInteger(next)) this.#small = next
      else this.#integers += BigInt(number)
    } else if (!Number.isFinite(number)) {
      this.#hasDouble = true
      this.#special += number
    } else {
      this.#hasDouble = true
      this.#addDouble(number)
    }
  }

  #addDouble(number: number): void {
    const sum = this.#high + number
    const part = sum - this.#high
    this.#low += this.#high - (sum - part) + (number - part)
    this.#high = sum
  }

  sum(): number | Long {
    const integers = this.#integers + BigInt(this.#small)
    return this.#hasDouble ? this.#total(integers) : exactInteger(this.#name, integers, this.#hasLong)
  }

  average(): number | null {
    return this.count === 0 ? null : this.#total(this.#integers + BigInt(this.#small)) / this.count
  }

  #total(integers: bigint): number {
    if (this.#special !== 0) return this.#special
    const [high, low] = [this.#high, this.#low]
    const nearest = Number(integers)
    this.#addDouble(nearest)
    this.#addDouble(Number(integers - BigInt(nearest)))
    const total = this.#high + this.#low
    ;[this.#high, this.#low] = [high, low]
    return total
  }
}

/** Of integers: a number, or a Long if there was one. What overflows a Long is a double, as in MongoDB. */
export function exactInteger(name: string, value: bigint, hasLong: boolean): number | Long {
  const number = Number(value)
  if (BigInt(number) === value || BigInt.asIntN(64, value) !== value) return number
  if (hasLong) return Long.fromBigInt(value)
  // Whether its operands were Longs, and it is exact, or doubles, and it is not, is no longer known.
  throw notExact(`${name} with a result beyond 2^53`)
}
