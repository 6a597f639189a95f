import { MongoError } from '../mongo-error.ts'

const IDLE_MS = 10 * 60_000
const MAX_BATCH_BYTES = 16 * 1024 * 1024
const BYTES_PER_DOCUMENT = 12
const DOCUMENTS_BETWEEN_LOOKS = 16

/** Up to `count` documents, or more within `bytesAnyway`; at most 16 MB, but at least one document. */
export class Batch {
  readonly documents: Uint8Array[] = []
  readonly #count: number
  readonly #bytesAnyway: number
  #bytes = 0

  constructor(count: number, bytesAnyway = 0) {
    this.#count = count
    this.#bytesAnyway = bytesAnyway
  }

  add(document: Uint8Array): boolean {
    const counted = this.documents.length < this.#count
    const most = counted ? MAX_BATCH_BYTES : this.#bytesAnyway
    const first = this.documents.length === 0 && counted
    if (!first && this.#bytes + document.length > most) return false
    this.#bytes += document.length + BYTES_PER_DOCUMENT
    this.documents.push(document)
    return true
  }
}

export class Cursor {
  readonly #next: () => Uint8Array | undefined
  #ahead: Uint8Array | undefined

  constructor(next: () => Uint8Array | undefined) {
    this.#next = next
  }

  nextBatch(count: number, until = Number.POSITIVE_INFINITY): Uint8Array[] {
    const batch = new Batch(count)
    while (batch.documents.length < count && !this.finished && this.#ahead && batch.add(this.#ahead)) {
      this.#ahead = undefined
      if (batch.documents.length % DOCUMENTS_BETWEEN_LOOKS === 0 && performance.now() >= until) break
    }
    return batch.documents
  }

  get finished(): boolean {
    this.#ahead ??= this.#next()
    return this.#ahead === undefined
  }
}

export class Cursors {
  #lastId = BigInt(Date.now()) * 1000n
  readonly #open = new Map<bigint, { cursor: Cursor; usedAt: number }>()

  newId(): bigint {
    return ++this.#lastId
  }

  add(id: bigint, cursor: Cursor): void {
    const oldest = Date.now() - IDLE_MS
    for (const [other, { usedAt }] of this.#open) if (usedAt < oldest) this.#open.delete(other)
    this.#open.set(id, { cursor, usedAt: Date.now() })
  }

  /** The cursor is lost if `work` fails. */
  use<T>(id: bigint, work: (cursor: Cursor) => T): T {
    const open = this.#open.get(id)
    if (!open) throw new MongoError('CursorNotFound', `cursor id ${id} not found`)
    this.#open.delete(id)
    const result = work(open.cursor)
    this.#open.set(id, { cursor: open.cursor, usedAt: Date.now() })
    return result
  }

  kill(id: bigint): boolean {
    return this.#open.delete(id)
  }
}
