import { MongoError } from '../mongo-error.ts'

const IDLE_MS = 10 * 60_000
/** A reply message may hold 48 MB; MongoDB fills a batch to 16. */
const MAX_BATCH_BYTES = 16 * 1024 * 1024
/** The array index, type and terminator around each document. */
const BYTES_PER_DOCUMENT = 12

/** Results still to be fetched. */
export class Cursor {
  readonly namespace: string
  #next: () => Uint8Array | undefined
  #ahead: Uint8Array | undefined
  #release: (() => void) | undefined

  /** `next` returns the next document's bytes, undefined at the end. */
  constructor(namespace: string, next: () => Uint8Array | undefined) {
    this.namespace = namespace
    this.#next = next
  }

  static of(namespace: string, docs: Iterable<Uint8Array>): Cursor {
    const iterator = docs[Symbol.iterator]()
    return new Cursor(namespace, () => iterator.next().value)
  }

  /** Up to `count` documents, at most 16 MB, but at least one document. */
  nextBatch(count: number): Uint8Array[] {
    const docs: Uint8Array[] = []
    let bytes = 0
    while (docs.length < count) {
      const doc = this.#ahead ?? this.#next()
      this.#ahead = undefined
      if (!doc) break
      if (docs.length > 0 && bytes + doc.length > MAX_BATCH_BYTES) {
        this.#ahead = doc
        break
      }
      bytes += doc.length + BYTES_PER_DOCUMENT
      docs.push(doc)
    }
    return docs
  }

  get finished(): boolean {
    this.#ahead ??= this.#next()
    return this.#ahead === undefined
  }

  /** Continues with another source, for when the previous one cannot stay open. */
  continueWith(next: () => Uint8Array | undefined, release?: () => void): void {
    this.#next = next
    this.#release = release
  }

  /** Gives back what it holds. */
  close(): void {
    this.#release?.()
    this.#release = undefined
  }
}

export class Cursors {
  #nextId = BigInt(Date.now()) * 1000n
  #open = new Map<bigint, { cursor: Cursor; usedAt: number }>()

  add(cursor: Cursor): bigint {
    const oldest = Date.now() - IDLE_MS
    for (const [id, { usedAt }] of this.#open) if (usedAt < oldest) this.kill(id)
    const id = ++this.#nextId
    this.#open.set(id, { cursor, usedAt: Date.now() })
    return id
  }

  require(id: bigint): Cursor {
    const cursor = this.#open.get(id)
    if (!cursor) throw new MongoError('CursorNotFound', `cursor id ${id} not found`)
    cursor.usedAt = Date.now()
    return cursor.cursor
  }

  kill(id: bigint): boolean {
    this.#open.get(id)?.cursor.close()
    return this.#open.delete(id)
  }
}
