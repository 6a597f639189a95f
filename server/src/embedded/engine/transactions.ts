import { MongoError, toMongoError } from '../mongo-error.ts'
import type { Store } from '../storage/store.ts'
import type { GroupCommit } from './group-commit.ts'

const LIFETIME_MS = 60_000

interface Transaction {
  session: string
  number: bigint
  state: 'starting' | 'active' | 'committed' | 'aborted'
  timer: NodeJS.Timeout | undefined
}

/** The one multi-document transaction that may be open at a time, on its own connection. */
export class Transactions {
  readonly #main: Store
  readonly #queue: GroupCommit
  readonly #openStore: () => Store
  #store: Store | undefined
  #bySession = new Map<string, Transaction>()

  constructor(main: Store, queue: GroupCommit, openStore: () => Store) {
    this.#main = main
    this.#queue = queue
    this.#openStore = openStore
  }

  async run<T>(session: string, number: bigint, starts: boolean, work: (store: Store) => T): Promise<T> {
    if (starts) await this.#start(session, number)
    const transaction = this.#require(session, number)
    if (transaction.state !== 'active' || !this.#store) throw ended(number)
    try {
      return work(this.#store)
    } catch (error) {
      // MongoDB aborts the whole transaction when a statement in it fails.
      this.#end(transaction, 'aborted')
      throw error
    }
  }

  async #start(session: string, number: bigint): Promise<void> {
    const known = this.#bySession.get(session)
    if (known && (known.state === 'active' || known.state === 'starting')) this.#end(known, 'aborted')
    const transaction: Transaction = { session, number, state: 'starting', timer: undefined }
    this.#bySession.set(session, transaction)
    try {
      await this.#queue.acquireWriter()
    } catch (error) {
      transaction.state = 'aborted'
      throw conflict(error)
    }
    if (transaction.state !== 'starting') {
      this.#queue.releaseWriter()
      throw ended(number)
    }
    try {
      this.#store ??= this.#openStore()
      this.#store.db.exec('BEGIN IMMEDIATE')
      this.#store.refresh()
    } catch (error) {
      transaction.state = 'aborted'
      this.#queue.releaseWriter()
      throw error
    }
    transaction.state = 'active'
    transaction.timer = setTimeout(() => this.#end(transaction, 'aborted'), LIFETIME_MS)
  }

  commit(session: string, number: bigint): void {
    const transaction = this.#require(session, number)
    if (transaction.state === 'committed') return
    if (transaction.state !== 'active') throw ended(number)
    try {
      this.#store?.commit()
    } catch (error) {
      this.#end(transaction, 'aborted')
      throw toMongoError(error)
    }
    this.#end(transaction, 'committed')
  }

  abort(session: string, number: bigint): void {
    const transaction = this.#require(session, number)
    if (transaction.state !== 'active' && transaction.state !== 'starting') throw ended(number)
    this.#end(transaction, 'aborted')
  }

  /** Rolls back an open transaction when its client has disconnected or ended the session. */
  abortSession(session: string): void {
    const transaction = this.#bySession.get(session)
    if (!transaction) return
    if (transaction.state === 'active') this.#end(transaction, 'aborted')
    else if (transaction.state === 'starting') transaction.state = 'aborted'
    this.#bySession.delete(session)
  }

  #require(session: string, number: bigint): Transaction {
    const transaction = this.#bySession.get(session)
    if (!transaction || transaction.number !== number) throw ended(number)
    return transaction
  }

  #end(transaction: Transaction, state: 'committed' | 'aborted'): void {
    const wasActive = transaction.state === 'active'
    transaction.state = state
    clearTimeout(transaction.timer)
    if (!wasActive) return
    if (this.#store?.db.isTransaction) this.#store.db.exec('ROLLBACK')
    if (state === 'aborted') this.#store?.clearCatalogCache()
    else this.#main.refresh()
    this.#queue.releaseWriter()
  }

  close(): void {
    for (const session of [...this.#bySession.keys()]) this.abortSession(session)
    this.#store?.close()
    this.#store = undefined
  }
}

function ended(number: bigint): MongoError {
  return new MongoError(
    'NoSuchTransaction',
    `Given transaction number ${number} does not match any in-progress transactions.`,
    { labels: ['TransientTransactionError'] },
  )
}

function conflict(error: unknown): MongoError {
  const reason = error instanceof Error ? error.message : String(error)
  return new MongoError('WriteConflict', `WriteConflict: another transaction is open. ${reason}`, {
    labels: ['TransientTransactionError'],
  })
}
