import { MongoError, toMongoError } from '../mongo-error.ts'
import type { Store } from '../storage/store.ts'

interface Entry {
  settle: (commitError: unknown) => void
}

interface Waiter {
  start: () => void
  timer: NodeJS.Timeout
}

/**
 * Writes that arrive together share one commit, and so one fsync. No reader or writer gets an answer before the data it depends on is on
 * disk. A transaction locks the writer; other writes are queued with a time-out.
 */
export class GroupCommit {
  readonly #store: Store
  readonly #waitMs: number
  #batch: Entry[] = []
  #open = false
  #held = false
  #closed = false
  #waiting: Waiter[] = []

  constructor(store: Store, waitMs: number) {
    this.#store = store
    this.#waitMs = waitMs
  }

  read<T>(work: () => T): T | Promise<T> {
    const result = work()
    return this.#open ? this.#afterCommit(result) : result
  }

  async write<T>(work: () => T): Promise<T> {
    while (this.#held) await this.#waitForWriter()
    if (this.#closed) throw new MongoError('InternalError', 'The database is stopping')
    this.#begin()
    return this.#afterCommit(this.#inSavepoint(work))
  }

  /** Locks the writer for a transaction. Commits earlier writes first. */
  async acquireWriter(): Promise<void> {
    while (this.#held) await this.#waitForWriter()
    this.flush()
    this.#held = true
  }

  releaseWriter(): void {
    this.#held = false
    // One after the other, as the first may be a transaction that locks the writer again.
    const [next] = this.#waiting.splice(0, 1)
    if (!next) return
    clearTimeout(next.timer)
    next.start()
    queueMicrotask(() => queueMicrotask(() => this.#admitNext()))
  }

  #admitNext(): void {
    if (!this.#held && this.#waiting.length > 0) this.releaseWriter()
  }

  #waitForWriter(): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting = this.#waiting.filter((waiter) => waiter.timer !== timer)
        reject(
          new MongoError(
            'LockTimeout',
            `Waited ${this.#waitMs / 1000} s for the open transaction to end. A write awaited inside a transaction has to be given its session.`,
          ),
        )
      }, this.#waitMs)
      this.#waiting.push({ start: resolve, timer })
    })
  }

  #begin(): void {
    if (this.#open) return
    this.#store.db.exec('BEGIN IMMEDIATE')
    this.#open = true
    // Runs after all sockets that are readable in this turn of the event loop have been read.
    setImmediate(() => this.flush())
  }

  #inSavepoint<T>(work: () => T): T {
    const { db } = this.#store
    this.#store.prepare('SAVEPOINT one').run()
    try {
      const result = work()
      this.#store.prepare('RELEASE one').run()
      return result
    } catch (error) {
      // On a full disk SQLite rolls back everything, including the savepoint.
      if (db.isTransaction) db.exec('ROLLBACK TO one; RELEASE one')
      else this.#fail(error)
      this.#store.clearCatalogCache()
      this.#store.refresh()
      throw error
    }
  }

  #afterCommit<T>(result: T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#batch.push({
        settle: (error) => (error === undefined ? resolve(result) : reject(toMongoError(error))),
      })
    })
  }

  flush(): void {
    if (!this.#open) return
    try {
      this.#store.commit()
      this.#settle(undefined)
    } catch (error) {
      if (this.#store.db.isTransaction) this.#store.db.exec('ROLLBACK')
      this.#fail(error)
      this.#store.clearCatalogCache()
      this.#store.refresh()
    }
  }

  #fail(error: unknown): void {
    this.#settle(error)
  }

  #settle(error: unknown): void {
    const batch = this.#batch
    this.#batch = []
    this.#open = false
    for (const entry of batch) entry.settle(error)
  }

  close(): void {
    this.flush()
    this.#closed = true
    for (const waiter of this.#waiting) {
      clearTimeout(waiter.timer)
      waiter.start()
    }
    this.#waiting = []
  }
}
