import { closeSync, openSync, readSync } from 'node:fs'
import { endianness } from 'node:os'
import { type Checksum, type Continuation, checksumOf, continuationOver } from './checksum.ts'

const HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
/** Of a log whose words are summed up in this machine's byte order, as SQLite has it. */
const MAGIC = endianness() === 'LE' ? 0x377f0682 : 0x377f0683
const FRAMES_A_READ = 64

/** How far a write-ahead log was read. SQLite overwrites the log from the start when all is in the main file, and draws new salts then. */
export interface WalPosition {
  /** In hex; empty before the first log was read. */
  salts: string
  /** Of committed transactions. */
  frames: number
}

/** Whether SQLite overwrote the log of `earlier` with that of `salts`: it adds one to the first salt and draws the second. */
export function succeeds(salts: string, earlier: string): boolean {
  const [one, other] = [salts, earlier].map((text) => Number.parseInt(text.slice(0, 8), 16))
  return one !== undefined && other !== undefined && one === (other + 1) >>> 0
}

/**
 * Reads what was committed to SQLite's write-ahead log (https://www.sqlite.org/fileformat2.html#the_write_ahead_log), as SQLite itself
 * would after a crash: up to the first frame whose checksum, which covers all frames before it, is wrong.
 */
export class WalFile {
  readonly #path: string
  readonly #pageSize: number
  readonly #frameBytes: number
  readonly #words: Int32Array
  readonly #bytes: Buffer
  readonly #addPage: Continuation
  readonly #addPair: Continuation
  #file: number | undefined
  #salts: Buffer | undefined
  #frames = 0
  /** Running checksum after `frames`. */
  #sum: Checksum = { first: 0, second: 0 }
  #readAtFirst = 8
  /** Pages in the database after the last commit. */
  pageCount = 0
  /** Commits read since the log was last overwritten from the start. */
  commits = 0

  constructor(path: string, pageSize: number) {
    this.#path = path
    this.#pageSize = pageSize
    this.#frameBytes = FRAME_HEADER_BYTES + pageSize
    this.#words = new Int32Array((FRAMES_A_READ * this.#frameBytes) / 4)
    this.#bytes = Buffer.from(this.#words.buffer)
    this.#addPage = continuationOver(pageSize / 4)
    this.#addPair = continuationOver(2)
  }

  get position(): WalPosition {
    return { salts: this.#salts?.toString('hex') ?? '', frames: this.#frames }
  }

  /** Whether the log was overwritten from the start since the last call. If so, reading starts over as well. */
  startsOver(): boolean {
    const bytes = this.#bytes
    if (this.#read(0, HEADER_BYTES) < HEADER_BYTES) return false
    if (bytes.readUInt32BE(0) !== MAGIC || bytes.readUInt32BE(8) !== this.#pageSize) return false
    const salts = Buffer.from(bytes.subarray(16, 24))
    if (this.#salts?.equals(salts)) return false
    const sum = checksumOf(this.#words, 0, 6)
    if (sum.first !== bytes.readInt32BE(24) || sum.second !== bytes.readInt32BE(28)) return false
    this.#salts = salts
    this.#frames = 0
    this.#sum = sum
    this.pageCount = 0
    this.commits = 0
    return true
  }

  /** Calls `seen` with the checksum of each page committed since the last call; of one page the last counts. Returns how many there were. */
  readCommitted(seen: (page: number, sum: Checksum) => void): number {
    const steps = this.stepsToRead(seen)
    for (;;) {
      const { done, value } = steps.next()
      if (done) return value
    }
  }

  /** The same in steps of a quarter of a megabyte. One that is not completed may be begun again. */
  *stepsToRead(seen: (page: number, sum: Checksum) => void): Generator<void, number> {
    const start = this.#frames
    if (this.#salts === undefined) return 0
    const bytes = this.#bytes
    const [salt1, salt2] = [this.#salts.readInt32BE(0), this.#salts.readInt32BE(4)]
    // Page and its two sums in turn: a large transaction has hundreds of thousands.
    let uncommitted: number[] = []
    let sum = this.#sum
    let frames = start
    for (let asked = this.#readAtFirst; ; asked = FRAMES_A_READ) {
      const read = this.#read(HEADER_BYTES + frames * this.#frameBytes, asked * this.#frameBytes)
      const complete = Math.floor(read / this.#frameBytes)
      for (let frame = 0; frame < complete; frame++) {
        const at = frame * this.#frameBytes
        if (bytes.readInt32BE(at + 8) !== salt1 || bytes.readInt32BE(at + 12) !== salt2) return this.#end(start)
        const page = checksumOf(this.#words, (at + FRAME_HEADER_BYTES) / 4, (at + this.#frameBytes) / 4)
        sum = this.#addPage(this.#addPair(sum, checksumOf(this.#words, at / 4, at / 4 + 2)), page)
        if (sum.first !== bytes.readInt32BE(at + 16) || sum.second !== bytes.readInt32BE(at + 20)) {
          return this.#end(start)
        }
        frames++
        uncommitted.push(bytes.readUInt32BE(at), page.first, page.second)
        const pageCount = bytes.readUInt32BE(at + 4)
        if (pageCount === 0) continue
        for (let i = 0; i < uncommitted.length; i += 3) {
          seen(uncommitted[i] as number, {
            first: uncommitted[i + 1] as number,
            second: uncommitted[i + 2] as number,
          })
        }
        uncommitted = []
        this.#sum = sum
        this.#frames = frames
        this.pageCount = pageCount
        this.commits++
      }
      if (complete < asked) return this.#end(start)
      yield
    }
  }

  /** Next time as many pages as now, and the one after them that says that this is the end, are read at once. */
  #end(start: number): number {
    const count = this.#frames - start
    if (count > 0) this.#readAtFirst = Math.min(count + 1, FRAMES_A_READ)
    return count
  }

  #read(from: number, length: number): number {
    if (this.#file === undefined) {
      try {
        this.#file = openSync(this.#path, 'r')
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 0
        throw error
      }
    }
    return readSync(this.#file, this.#bytes, 0, length, from)
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
  }
}
