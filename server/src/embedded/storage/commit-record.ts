import { closeSync, constants, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import type { WalPosition } from './wal-file.ts'

const MAGIC = 'assay-c1'
const BYTES = 32

/** What the write-ahead log has to have at the least: without it, a lost or shortened log would look like one with less in it. */
export interface CommitRecord {
  /** Of the page sums it was written after. */
  sumsVersion: number
  committed: WalPosition
}

/**
 * Keeps the record in place, after each commit and without waiting for the disk. It survives the end of the process, and after a power cut
 * is at most behind, since it is written once the commit is on disk.
 */
export class CommitRecordFile {
  readonly #file: number
  readonly #bytes = Buffer.alloc(BYTES)

  constructor(path: string) {
    this.#file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600)
  }

  write({ sumsVersion, committed }: CommitRecord, sync: boolean): void {
    this.#bytes.write(MAGIC, 'latin1')
    this.#bytes.writeUInt32LE(sumsVersion, 8)
    this.#bytes.fill(0, 12, 20)
    this.#bytes.write(committed.salts, 12, 'hex')
    this.#bytes.writeUInt32LE(committed.frames, 20)
    this.#bytes.writeUInt32LE(crc32(this.#bytes.subarray(0, BYTES - 4)), BYTES - 4)
    writeSync(this.#file, this.#bytes, 0, BYTES, 0)
    if (sync) fsyncSync(this.#file)
  }

  close(): void {
    closeSync(this.#file)
  }

  /** Undefined if the file is damaged itself. */
  static read(path: string): CommitRecord | undefined {
    const bytes = readFileSync(path)
    if (bytes.length !== BYTES || bytes.toString('latin1', 0, 8) !== MAGIC) return undefined
    if (crc32(bytes.subarray(0, BYTES - 4)) !== bytes.readUInt32LE(BYTES - 4)) return undefined
    const salts = bytes.toString('hex', 12, 20)
    return {
      sumsVersion: bytes.readUInt32LE(8),
      committed: { salts: /^0+$/.test(salts) ? '' : salts, frames: bytes.readUInt32LE(20) },
    }
  }
}
