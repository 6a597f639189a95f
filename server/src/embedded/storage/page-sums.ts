import { closeSync, fsyncSync, openSync, readFileSync, readSync, renameSync, writeFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { type Checksum, checksumOf } from './checksum.ts'
import { syncFolderOf } from './store-files.ts'
import type { WalPosition } from './wal-file.ts'

const MAGIC = 'assay-s1'
const HEADER_BYTES = 32
const CHUNK_BYTES = 1024 * 1024
/** Where SQLite puts its page size in the main file. */
const PAGE_SIZE_AT = 16

/** The checksum of each page of the main file, once it has taken in the write-ahead log up to `takenIn`. Pages are numbered from 1. */
export class PageSums {
  readonly pageSize: number
  /** Counts how often the sums were saved. */
  version: number
  takenIn: WalPosition
  /** Two words a page. A page that was never written is a hole in the file, all zeros, and has the sum 0. */
  #sums: Int32Array
  #pageCount: number

  constructor(pageSize: number, sums: Int32Array, version = 0, takenIn: WalPosition = { salts: '', frames: 0 }) {
    this.pageSize = pageSize
    this.#sums = sums
    this.#pageCount = sums.length / 2
    this.version = version
    this.takenIn = takenIn
  }

  get pageCount(): number {
    return this.#pageCount
  }

  set pageCount(count: number) {
    if (count * 2 > this.#sums.length) {
      const larger = new Int32Array(Math.max(count * 2, this.#sums.length * 2))
      larger.set(this.#sums)
      this.#sums = larger
    }
    if (count < this.#pageCount) this.#sums.fill(0, count * 2, this.#pageCount * 2)
    this.#pageCount = count
  }

  matches(page: number, { first, second }: Checksum): boolean {
    const at = (page - 1) * 2
    return (this.#sums[at] ?? 0) === first && (this.#sums[at + 1] ?? 0) === second
  }

  set(page: number, { first, second }: Checksum): void {
    if (page > this.#pageCount) this.pageCount = page
    this.#sums[(page - 1) * 2] = first
    this.#sums[(page - 1) * 2 + 1] = second
  }

  /** Replaces the file as a whole, so that a crash leaves the old one or the new one. */
  save(path: string, takenIn: WalPosition, durable: boolean): void {
    const sums = Buffer.from(this.#sums.buffer, 0, this.#pageCount * 8)
    const bytes = Buffer.concat([Buffer.alloc(HEADER_BYTES), sums, Buffer.alloc(4)])
    bytes.write(MAGIC, 'latin1')
    bytes.writeUInt32LE(this.pageSize, 8)
    bytes.writeUInt32LE(this.#pageCount, 12)
    bytes.writeUInt32LE(this.version + 1, 16)
    bytes.write(takenIn.salts, 20, 'hex')
    bytes.writeUInt32LE(takenIn.frames, 28)
    bytes.writeUInt32LE(crc32(bytes.subarray(0, -4)), bytes.length - 4)
    const draft = `${path}.new`
    const file = openSync(draft, 'w', 0o600)
    try {
      writeFileSync(file, bytes)
      if (durable) fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(draft, path)
    if (durable) syncFolderOf(path)
    this.version++
    this.takenIn = takenIn
  }

  /** Undefined if the file is damaged itself. */
  static load(path: string): PageSums | undefined {
    const bytes = readFileSync(path)
    if (bytes.length < HEADER_BYTES + 4 || bytes.toString('latin1', 0, 8) !== MAGIC) return undefined
    if (crc32(bytes.subarray(0, -4)) !== bytes.readUInt32LE(bytes.length - 4)) return undefined
    const sums = new Int32Array(Uint8Array.from(bytes.subarray(HEADER_BYTES, -4)).buffer)
    const salts = bytes.toString('hex', 20, 28)
    const takenIn = { salts: /^0+$/.test(salts) ? '' : salts, frames: bytes.readUInt32LE(28) }
    return new PageSums(bytes.readUInt32LE(8), sums, bytes.readUInt32LE(16), takenIn)
  }

  /** Of a main file that has taken in its whole write-ahead log. No connection of this process may be open (`readPages`). */
  static ofFile(path: string): PageSums {
    const pageSize = pageSizeOf(path)
    const sums = new PageSums(pageSize, new Int32Array())
    readPages(path, pageSize, (page, sum) => sums.set(page, sum))
    return sums
  }
}

function pageSizeOf(path: string): number {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(2)
    readSync(file, bytes, 0, 2, PAGE_SIZE_AT)
    // 65,536 does not fit and is stored as 1.
    const stored = bytes.readUInt16BE(0)
    return stored === 1 ? 65_536 : stored
  } finally {
    closeSync(file)
  }
}

/**
 * Calls `seen` with the number and the checksum of each page in a main file. A rest that is not a whole page counts as one, filled up with
 * zeros.
 *
 * Only for a file that no connection of this process has open: closing it would release their locks, as POSIX has it.
 */
export function readPages(path: string, pageSize: number, seen: (page: number, sum: Checksum) => void): void {
  const file = openSync(path, 'r')
  try {
    const words = new Int32Array(CHUNK_BYTES / 4)
    const chunk = Buffer.from(words.buffer)
    let page = 1
    for (let from = 0; ; from += CHUNK_BYTES) {
      const length = readSync(file, chunk, 0, CHUNK_BYTES, from)
      if (length % pageSize !== 0) chunk.fill(0, length)
      for (let at = 0; at < length; at += pageSize) seen(page++, checksumOf(words, at / 4, (at + pageSize) / 4))
      if (length < CHUNK_BYTES) return
    }
  } finally {
    closeSync(file)
  }
}
