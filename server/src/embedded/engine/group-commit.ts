import { MongoError, toMongoError } from '../mongo-error.ts'
import type { Store } from '../storage/store.ts'

/** Writes that arrive together share an fsync; answers wait until the data they depend on is on disk. */
export class GroupCommit {
  readonly #store: Store
  /** Called once the open transaction is committed, or with the error. */
  #batch: ((error: unknown) => void)[] = []
  #open = false
  /** Resolves when the thread holding the writer is done. */
  #held: Promise<void> | undefined
  #closed = false

  constructor(store: Store) {
    this.#store = store
  }

  read<T>(work: () => T): T | Promise<T> {
    if (this.#held) return this.#inSnapshot(work)
    const result = work()
    return this.#open ? this.#afterCommit(result) : result
  }

  /** The thread may commit at any moment, also to the catalog. */
  #inSnapshot<T>(work: () => T): T {
    this.#store.prepare('BEGIN').run()
    try {
      this.#store.refresh()
      return work()
    } finally {
      this.#store.prepare('COMMIT').run()
    }
  }

  async write<T>(work: () => T): Promise<T> {
    await this.#waitForWriter()
    if (!this.#open) {
      this.#store.db.exec('BEGIN IMMEDIATE')
      this.#open = true
      // Runs after all sockets readable in this turn of the event loop.
      setImmediate(() => this.flush())
    }
    return this.#afterCommit(this.#inSavepoint(work))
  }

  async writeInThread<T>(work: () => Promise<T>): Promise<T> {
    await this.#waitForWriter()
    this.flush()
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#held = promise
    try {
      return await work()
    } finally {
      this.#held = undefined
      resolve()
      if (!this.#closed) this.#store.refresh()
    }
  }

  async #waitForWriter(): Promise<void> {
    while (this.#held) await this.#held
    if (this.#closed) throw new MongoError('InternalError', 'The database is stopping')
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
      else this.#settle(error)
      this.#reload()
      throw error
    }
  }

  #afterCommit<T>(result: T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#batch.push((error) => (error === undefined ? resolve(result) : reject(toMongoError(error))))
    })
  }

  flush(): void {
    if (!this.#open) return
    try {
      this.#store.prepare('COMMIT').run()
      this.#settle(undefined)
    } catch (error) {
      if (this.#store.db.isTransaction) this.#store.db.exec('ROLLBACK')
      this.#settle(error)
      this.#reload()
    }
  }

  #settle(error: unknown): void {
    const batch = this.#batch
    this.#batch = []
    this.#open = false
    for (const settle of batch) settle(error)
  }

  #reload(): void {
    this.#store.clearCatalogCache()
    this.#store.refresh()
  }

  close(): void {
    this.flush()
    this.#closed = true
  }
}
