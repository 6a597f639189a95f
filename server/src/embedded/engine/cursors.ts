import { batchTimeIsOver, limitRemainingMs, remainingMs } from '../command-limits.ts'
import { MongoError } from '../mongo-error.ts'

const IDLE_MS = 10 * 60_000
/** A reply message may hold 48 MB; MongoDB fills a batch to 16. */
const MAX_BATCH_BYTES = 16 * 1024 * 1024
/** The array index, type and terminator around each document. */
const BYTES_PER_DOCUMENT = 12
const DOCUMENTS_BETWEEN_LOOKS = 16
/** Of threads that run at the same time, at most. */
const NUMBERS = 16

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

  /**
   * Up to `count` documents, or more as long as all take no more than `bytesAnyway` together; at most 16 MB, but at least one document. Fewer
   * if the time for it is over.
   */
  nextBatch(count: number, bytesAnyway = 0): Uint8Array[] {
    const docs: Uint8Array[] = []
    let bytes = 0
    while (docs.length < count || bytes < bytesAnyway) {
      const doc = this.#ahead ?? this.#next()
      this.#ahead = undefined
      if (!doc) break
      const most = docs.length < count ? MAX_BATCH_BYTES : bytesAnyway
      if (docs.length > 0 && bytes + doc.length > most) {
        this.#ahead = doc
        break
      }
      bytes += doc.length + BYTES_PER_DOCUMENT
      docs.push(doc)
      if (docs.length % DOCUMENTS_BETWEEN_LOOKS === 0 && batchTimeIsOver()) break
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

interface OpenCursor {
  cursor: Cursor
  usedAt: number
  /** Of the maxTimeMS of the command that opened it. */
  remainingMs: number
}

export class Cursors {
  readonly #number: bigint
  readonly #killElsewhere: (id: bigint) => boolean
  #nextId = BigInt(Date.now()) * 100n
  #open = new Map<bigint, OpenCursor>()

  /** `number` makes the ids differ from those of other threads; `killElsewhere` knows their cursors. */
  constructor(number = 0, killElsewhere: (id: bigint) => boolean = () => false) {
    this.#number = BigInt(number % NUMBERS)
    this.#killElsewhere = killElsewhere
  }

  add(cursor: Cursor): bigint {
    const oldest = Date.now() - IDLE_MS
    for (const [id, { usedAt }] of this.#open) if (usedAt < oldest) this.kill(id)
    const id = ++this.#nextId * BigInt(NUMBERS) + this.#number
    this.#open.set(id, { cursor, usedAt: Date.now(), remainingMs: remainingMs() })
    return id
  }

  /** Uses an open cursor of a namespace; it is lost if that fails. */
  use<T>(id: bigint, asked: string, work: (cursor: Cursor) => T): T {
    const open = this.#open.get(id)
    if (!open) throw new MongoError('CursorNotFound', `cursor id ${id} not found`)
    const { namespace } = open.cursor
    if (asked !== namespace) {
      throw new MongoError(
        'Unauthorized',
        `Requested getMore on namespace '${asked}', but cursor belongs to a different namespace ${namespace}`,
      )
    }
    this.#open.delete(id)
    limitRemainingMs(open.remainingMs)
    try {
      const result = work(open.cursor)
      this.#open.set(id, { cursor: open.cursor, usedAt: Date.now(), remainingMs: remainingMs() })
      return result
    } finally {
      if (!this.#open.has(id)) open.cursor.close()
    }
  }

  kill(id: bigint): boolean {
    const open = this.#open.get(id)
    if (!open) return this.#killElsewhere(id)
    open.cursor.close()
    return this.#open.delete(id)
  }

  /** Gives back what the cursors hold, when no one will ask for more. */
  close(): void {
    for (const { cursor } of this.#open.values()) cursor.close()
    this.#open.clear()
  }

  ids(): bigint[] {
    return [...this.#open.keys()]
  }
}
