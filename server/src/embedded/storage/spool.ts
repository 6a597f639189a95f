import type { StatementSync } from 'node:sqlite'
import { ScratchDatabase } from './scratch-database.ts'

const CHUNK = 256 * 1024

/** Any number of documents in the order they were added, to be read again: in memory up to a limit, the rest on disk. */
export class Spool {
  readonly #memoryLimit: number
  #chunks: Buffer[] = []
  #filling = Buffer.alloc(0)
  #used = 0
  #held = 0
  #scratch: ScratchDatabase | undefined
  #insert: StatementSync | undefined

  constructor(memoryLimit: number) {
    this.#memoryLimit = memoryLimit
  }

  add(bytes: Uint8Array): void {
    if (this.#used + 4 + bytes.length > this.#filling.length) {
      this.#finishChunk()
      const room = this.#held === 0 ? CHUNK / 16 : CHUNK
      this.#filling = Buffer.allocUnsafeSlow(Math.max(room, 4 + bytes.length))
    }
    this.#used = this.#filling.writeUInt32LE(bytes.length, this.#used)
    this.#filling.set(bytes, this.#used)
    this.#used += bytes.length
  }

  #finishChunk(): void {
    if (this.#used === 0) return
    const chunk = this.#filling.subarray(0, this.#used)
    this.#used = 0
    this.#held += this.#filling.length
    if (this.#held <= this.#memoryLimit) {
      this.#chunks.push(chunk)
      return
    }
    this.#scratch ??= new ScratchDatabase('chunks (n INTEGER PRIMARY KEY, bytes BLOB)')
    this.#insert ??= this.#scratch.prepare('INSERT INTO chunks (bytes) VALUES (?)')
    this.#insert.run(chunk)
  }

  /** May be called again; nothing may be added between. */
  *read(): Generator<Uint8Array> {
    this.#finishChunk()
    this.#filling = Buffer.alloc(0)
    for (const chunk of this.#chunks) yield* documentsIn(chunk)
    const next = this.#scratch?.prepare('SELECT n, bytes FROM chunks WHERE n = ?')
    for (let n = 1; next; n++) {
      const row = next.get(n)
      if (!row) return
      const bytes = row.bytes as Uint8Array
      yield* documentsIn(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    }
  }

  close(): void {
    this.#scratch?.close()
    this.#scratch = undefined
    this.#chunks = []
  }
}

function* documentsIn(chunk: Buffer): Generator<Uint8Array> {
  for (let at = 0; at < chunk.length; ) {
    const end = at + 4 + chunk.readUInt32LE(at)
    yield chunk.subarray(at + 4, end)
    at = end
  }
}
