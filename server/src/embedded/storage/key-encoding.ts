import type { ObjectId } from 'bson'
import { type Doc, notComparable, TypeOrder, toNumber, typeOrderOf } from '../bson-values.ts'

/** Of an array that is indexed by its elements; below null. */
export const EMPTY_ARRAY = Symbol('empty array')

/** Bytes that memcmp orders as MongoDB orders values. No encoding is a prefix of another, so keys concatenate. */
export class KeyWriter {
  #bytes = Buffer.allocUnsafe(256)
  #length = 0

  reset(): this {
    this.#length = 0
    return this
  }

  finish(): Buffer {
    return Buffer.from(this.#bytes.subarray(0, this.#length))
  }

  add(value: unknown, direction: 1 | -1 = 1): this {
    const start = this.#length
    this.#value(value)
    if (direction === -1) {
      for (let i = start; i < this.#length; i++) this.#bytes[i] = ~(this.#bytes[i] ?? 0)
    }
    return this
  }

  #value(value: unknown): void {
    const order = value === EMPTY_ARRAY ? TypeOrder.emptyArray : typeOrderOf(value)
    this.#byte(order)
    switch (order) {
      case TypeOrder.number:
        this.#number(value)
        break
      case TypeOrder.string:
        this.#text(Buffer.from(String(value), 'utf8'))
        break
      case TypeOrder.object:
        this.#doc(value as Doc)
        break
      case TypeOrder.array:
        for (const item of value as unknown[]) this.#value(item)
        this.#byte(0)
        break
      case TypeOrder.objectId:
        this.#raw((value as ObjectId).id)
        break
      case TypeOrder.boolean:
        this.#byte(value ? 1 : 0)
        break
      case TypeOrder.date:
        this.#int64(BigInt((value as Date).getTime()))
        break
      case TypeOrder.null:
      case TypeOrder.emptyArray:
        break
      default:
        throw notComparable(value)
    }
  }

  /** The nearest double, then two bytes that only NaN has otherwise. */
  #number(value: unknown): void {
    const number = toNumber(value) ?? 0
    this.#grow(10)
    if (Number.isNaN(number)) {
      this.#bytes.fill(0, this.#length, this.#length + 10)
      this.#length += 10
      return
    }
    const at = this.#length
    this.#bytes.writeDoubleBE(number === 0 ? 0 : number, at)
    const first = this.#bytes[at] ?? 0
    if (first & 0x80) for (let i = at; i < at + 8; i++) this.#bytes[i] = ~(this.#bytes[i] ?? 0)
    else this.#bytes[at] = first | 0x80
    this.#bytes.writeUInt16BE(0x8000, at + 8)
    this.#length += 10
  }

  #int64(value: bigint): void {
    this.#grow(8)
    this.#bytes.writeBigUInt64BE(BigInt.asUintN(64, value) ^ (1n << 63n), this.#length)
    this.#length += 8
  }

  #doc(doc: Doc): void {
    for (const [key, value] of Object.entries(doc)) {
      this.#byte(typeOrderOf(value))
      this.#text(Buffer.from(key, 'utf8'))
      this.#value(value)
    }
    this.#byte(0)
  }

  /** Ends with 00 00; a zero byte becomes 00 FF, which sorts after the end. */
  #text(bytes: Uint8Array): void {
    this.#grow(bytes.length * 2 + 2)
    if (!bytes.includes(0)) this.#raw(bytes)
    else {
      for (const byte of bytes) {
        this.#bytes[this.#length++] = byte
        if (byte === 0) this.#bytes[this.#length++] = 0xff
      }
    }
    this.#bytes[this.#length++] = 0
    this.#bytes[this.#length++] = 0
  }

  #raw(bytes: Uint8Array): void {
    this.#grow(bytes.length)
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
  }

  #byte(byte: number): void {
    this.#grow(1)
    this.#bytes[this.#length++] = byte
  }

  #grow(more: number): void {
    if (this.#length + more <= this.#bytes.length) return
    const larger = Buffer.allocUnsafe((this.#length + more) * 2)
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
  }
}

export function afterPrefix(prefix: Buffer): Buffer | undefined {
  const next = Buffer.from(prefix)
  for (let i = next.length - 1; i >= 0; i--) {
    if (next[i] !== 0xff) {
      next[i] = (next[i] ?? 0) + 1
      return next.subarray(0, i + 1)
    }
  }
  return undefined
}
