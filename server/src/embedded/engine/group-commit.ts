import { MongoError, toMongoError } from '../mongo-error.ts'
import type { Store } from '../storage/store.ts'
import { type Caller, NOBODY, whenOver } from './threads/call.ts'

interface Entry {
  settle: (commitError: unknown) => void
}

interface Waiter {
  start: () => void
  /** Limits how long it waits for a transaction, from when that has the writer; for a command it waits without a limit. */
  limit: () => void
  stop: () => void
}

/** A client's transaction, or one long command in a thread of its own. */
type Holder = 'transaction' | 'command'

/**
 * Writes that arrive together share one commit, and so one fsync. No reader or writer gets an answer before the data it depends on is on
 * disk. A transaction or a long write locks the writer; other writes are queued, behind a transaction with a time-out.
 */
export class GroupCommit {
  readonly #store: Store
  readonly #waitMs: number
  #batch: Entry[] = []
  #open = false
  #holder: Holder | undefined
  #closed = false
  #waiting: Waiter[] = []

  constructor(store: Store, waitMs: number) {
    this.#store = store
    this.#waitMs = waitMs
  }

  read<T>(work: () => T): T | Promise<T> {
    if (this.#holder) return this.#inSnapshot(work)
    const result = work()
    return this.#open ? this.#afterCommit(result) : result
  }

  /** Another thread may commit at any moment, also to the catalog. */
  #inSnapshot<T>(work: () => T): T {
    this.#store.prepare('BEGIN').run()
    try {
      this.#store.refresh()
      return work()
    } finally {
      this.#store.prepare('COMMIT').run()
    }
  }

  async write<T>(work: () => T, caller: Caller = NOBODY): Promise<T> {
    while (this.#holder) await this.#waitForWriter(caller)
    if (this.#closed) throw new MongoError('InternalError', 'The database is stopping')
    this.#begin()
    return this.#afterCommit(this.#inSavepoint(work))
  }

  /** Locks the writer. Commits earlier writes first. */
  async acquireWriter(holder: Holder, caller: Caller = NOBODY): Promise<void> {
    while (this.#holder) await this.#waitForWriter(caller)
    if (this.#closed) throw new MongoError('InternalError', 'The database is stopping')
    this.flush()
    this.#hold(holder)
  }

  #hold(holder: Holder): void {
    this.#holder = holder
    for (const waiter of this.#waiting) waiter.limit()
  }

  /** For who has the writer, once a thread has committed: resolves when its clients may be told. The writer is released by itself. */
  async committedInThread(moveLog: () => Promise<unknown>): Promise<void> {
    // Whoever waits for it now does not wait for a transaction.
    this.#hold('command')
    let due = false
    try {
      due = await this.#store.committedElsewhere()
    } finally {
      if (due) void this.#store.checkpointElsewhere(moveLog).finally(() => this.releaseWriter())
      else this.releaseWriter()
    }
  }

  releaseWriter(): void {
    try {
      // Of changes made in another thread.
      if (!this.#closed) this.#store.refresh()
    } catch {
      // The next command tries again, and is told.
      this.#store.clearCatalogCache()
    }
    this.#holder = undefined
    this.#admitNext()
  }

  /** One after the other, as the first may lock the writer again. */
  #admitNext(): void {
    const [next] = this.#holder ? [] : this.#waiting.splice(0, 1)
    if (!next) return
    next.stop()
    next.start()
    queueMicrotask(() => queueMicrotask(() => this.#admitNext()))
  }

  #waitForWriter(caller: Caller): Promise<void> {
    return new Promise((resolve, reject) => {
      const give = (up: Error) => {
        waiter.stop()
        this.#waiting = this.#waiting.filter((other) => other !== waiter)
        reject(up)
      }
      let timer: NodeJS.Timeout | undefined
      const stopCaller = whenOver(caller, give)
      const waiter: Waiter = {
        start: resolve,
        limit: () => {
          clearTimeout(timer)
          // A command ends by itself.
          if (this.#holder === 'transaction') timer = setTimeout(() => give(this.#lockTimeout()), this.#waitMs)
        },
        stop() {
          clearTimeout(timer)
          stopCaller()
        },
      }
      this.#waiting.push(waiter)
      waiter.limit()
    })
  }

  #lockTimeout(): MongoError {
    return new MongoError(
      'LockTimeout',
      `Waited ${this.#waitMs / 1000} s for the open transaction to end. A write awaited inside a transaction has to be given its session.`,
    )
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
    this.#holder = undefined
    for (const waiter of this.#waiting.splice(0)) {
      waiter.stop()
      waiter.start()
    }
  }
}
