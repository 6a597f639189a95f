import { checkpoint } from '../command-limits.ts'
import { ScratchDatabase } from './scratch-database.ts'

/** Of entries with the same key, the one with the lower `order` comes first. */
export interface SortedEntry {
  key: Buffer
  order: number
  payload: Uint8Array
}

interface SortOptions {
  /** Bytes held in memory before entries go to disk. */
  memoryLimit: number
  /** How many of the first entries are wanted, if not all. */
  first?: number | undefined
}

const CHUNK = 1024 * 1024
/** Of the columns, for each entry. */
const ENTRY_BYTES = 36
/** For more than these, all are sorted. */
const MAX_FIRST = 20_000
const NOTHING = new Uint8Array(0)

/** Sorts any number of entries by the bytes of their keys, in bounded memory: sorted parts are merged in a scratch database. */
export class ExternalSort {
  readonly #memoryLimit: number
  #first: number | undefined
  #entries = new Entries()
  #scratch: ScratchDatabase | undefined
  /** The last of the first entries so far; what comes after it is not wanted. */
  #last: { key: Buffer; order: number } | undefined
  #size = 0
  #spilled = 0

  constructor({ memoryLimit, first }: SortOptions) {
    this.#memoryLimit = memoryLimit
    this.#first = first !== undefined && first <= MAX_FIRST ? first : undefined
  }

  get size(): number {
    return this.#size
  }

  add(key: Buffer, order: number, payload: Uint8Array = NOTHING): void {
    this.#size++
    if (this.#last && (Buffer.compare(key, this.#last.key) || order - this.#last.order) > 0) return
    this.#entries.add(key, order, payload)
    if (this.#first !== undefined && this.#entries.count >= this.#first * 2 + 500) this.#keepFirst(this.#first)
    if (this.#entries.bytes > this.#memoryLimit) this.#spill()
  }

  #keepFirst(count: number): void {
    const kept = new Entries()
    for (const entry of this.#entries.sorted(count)) {
      kept.add(entry.key, entry.order, entry.payload)
      if (kept.count === count) this.#last = { key: Buffer.from(entry.key), order: entry.order }
    }
    this.#entries = kept
  }

  #spill(): void {
    this.#first = undefined
    this.#scratch ??= new ScratchDatabase(
      'entries (key BLOB, n INTEGER, position REAL, payload BLOB, PRIMARY KEY (key, position, n)) WITHOUT ROWID',
    )
    const insert = this.#scratch.prepare('INSERT INTO entries VALUES (?, ?, ?, ?)')
    for (const { key, order, payload } of this.#entries.sorted()) insert.run(key, this.#spilled++, order, payload)
    this.#entries.clear()
  }

  /** All entries in order, once. */
  *sorted(): Generator<SortedEntry> {
    if (!this.#scratch) {
      yield* this.#entries.sorted()
      return
    }
    try {
      this.#spill()
      this.#entries.release()
      this.#entries = new Entries()
      const rows = this.#scratch.prepare('SELECT key, position, payload FROM entries ORDER BY key, position, n')
      for (const row of rows.iterate()) {
        const bytes = row.key as Uint8Array
        const key = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
        yield { key, order: Number(row.position), payload: row.payload as Uint8Array }
      }
    } finally {
      this.close()
    }
  }

  close(): void {
    this.#scratch?.close()
    this.#entries = new Entries()
  }
}

/** Entries in memory, in a few large buffers: as objects they would take ten times as much. */
class Entries {
  #chunks: Buffer[] = []
  /** From before `clear`. */
  #spare: Buffer[] = []
  #used = CHUNK
  #capacity = 0
  #chunk = new Uint32Array(0)
  #at = new Uint32Array(0)
  #keyLength = new Uint32Array(0)
  #length = new Uint32Array(0)
  #order = new Float64Array(0)
  /** The first six bytes of the key, which decide most comparisons. */
  #prefix = new Float64Array(0)
  #bytes = 0
  count = 0

  get bytes(): number {
    return this.#bytes + this.count * ENTRY_BYTES
  }

  add(key: Buffer, order: number, payload: Uint8Array): void {
    if (this.count === this.#capacity) this.#grow()
    const n = this.count++
    const length = key.length + payload.length
    if (this.#used + length > CHUNK) {
      const chunk = this.#newChunk(length)
      this.#chunks.push(chunk)
      this.#used = chunk.length > CHUNK ? CHUNK : CHUNK - chunk.length
    }
    const chunk = this.#chunks.at(-1) ?? Buffer.alloc(0)
    const at = length > CHUNK ? 0 : this.#used - (CHUNK - chunk.length)
    chunk.set(key, at)
    chunk.set(payload, at + key.length)
    this.#used += length
    this.#bytes += length
    this.#chunk[n] = this.#chunks.length - 1
    this.#at[n] = at
    this.#keyLength[n] = key.length
    this.#length[n] = length
    this.#order[n] = order
    this.#prefix[n] = prefixOf(key)
  }

  #newChunk(length: number): Buffer {
    const spare = length <= CHUNK ? this.#spare.pop() : undefined
    if (spare) return spare
    // Few entries do not need a whole chunk.
    const room = this.#chunks.length === 0 ? 16 * 1024 : CHUNK
    return Buffer.allocUnsafeSlow(Math.max(room, length))
  }

  /** Forgets the entries but keeps the memory, which as garbage would be there as well as what is filled next. Nobody may still use one. */
  clear(): void {
    this.#spare.push(...this.#chunks.filter((chunk) => chunk.length === CHUNK))
    this.#chunks = []
    this.#used = CHUNK
    this.#bytes = 0
    this.count = 0
  }

  /** Gives the memory back at once, not when garbage is collected. Neither this nor one of its entries may be used afterwards. */
  release(): void {
    const columns = [this.#chunk, this.#at, this.#keyLength, this.#length, this.#order, this.#prefix]
    for (const { buffer } of [...this.#chunks, ...this.#spare, ...columns]) (buffer as ArrayBuffer).transfer(0)
  }

  #grow(): void {
    this.#capacity = Math.max(64, Math.ceil(this.#capacity * 1.5))
    const enlarged = <T extends Uint32Array | Float64Array>(old: T, larger: T): T => {
      larger.set(old)
      return larger
    }
    this.#chunk = enlarged(this.#chunk, new Uint32Array(this.#capacity))
    this.#at = enlarged(this.#at, new Uint32Array(this.#capacity))
    this.#keyLength = enlarged(this.#keyLength, new Uint32Array(this.#capacity))
    this.#length = enlarged(this.#length, new Uint32Array(this.#capacity))
    this.#order = enlarged(this.#order, new Float64Array(this.#capacity))
    this.#prefix = enlarged(this.#prefix, new Float64Array(this.#capacity))
  }

  #compare(a: number, b: number): number {
    const byPrefix = (this.#prefix[a] ?? 0) - (this.#prefix[b] ?? 0)
    if (byPrefix !== 0) return byPrefix
    const [one, other] = [this.#chunks[this.#chunk[a] ?? 0], this.#chunks[this.#chunk[b] ?? 0]]
    if (!one || !other) return 0
    const [from, otherFrom] = [this.#at[a] ?? 0, this.#at[b] ?? 0]
    const end = from + (this.#keyLength[a] ?? 0)
    const byKey = one.compare(other, otherFrom, otherFrom + (this.#keyLength[b] ?? 0), from, end)
    return byKey || (this.#order[a] ?? 0) - (this.#order[b] ?? 0) || a - b
  }

  *sorted(count = this.count): Generator<SortedEntry> {
    const numbers = new Uint32Array(this.count)
    for (let n = 0; n < this.count; n++) numbers[n] = n
    numbers.sort((a, b) => {
      checkpoint()
      return this.#compare(a, b)
    })
    for (const n of numbers.subarray(0, count)) {
      const chunk = this.#chunks[this.#chunk[n] ?? 0] ?? Buffer.alloc(0)
      const at = this.#at[n] ?? 0
      const keyEnd = at + (this.#keyLength[n] ?? 0)
      yield {
        key: chunk.subarray(at, keyEnd),
        order: this.#order[n] ?? 0,
        payload: chunk.subarray(keyEnd, at + (this.#length[n] ?? 0)),
      }
    }
  }
}

function prefixOf(key: Buffer): number {
  if (key.length >= 6) return key.readUIntBE(0, 6)
  let prefix = 0
  for (let i = 0; i < 6; i++) prefix = prefix * 256 + (key[i] ?? 0)
  return prefix
}
