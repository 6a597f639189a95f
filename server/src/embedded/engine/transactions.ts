import { MongoError, toMongoError } from '../mongo-error.ts'
import type { Request } from '../wire/message.ts'
import type { GroupCommit } from './group-commit.ts'
import { type Caller, NOBODY } from './threads/call.ts'
import type { CommandThreads } from './threads/command-threads.ts'

const LIFETIME_MS = 60_000

interface Transaction {
  session: string
  number: bigint
  state: 'starting' | 'active' | 'committing' | 'committed' | 'aborted'
  timer: NodeJS.Timeout | undefined
}

/** The one multi-document transaction that may be open at a time, in the thread for long writes. */
export class Transactions {
  readonly #queue: GroupCommit
  readonly #threads: CommandThreads
  #bySession = new Map<string, Transaction>()

  constructor(queue: GroupCommit, threads: CommandThreads) {
    this.#queue = queue
    this.#threads = threads
  }

  async run(session: string, number: bigint, starts: boolean, request: Request, caller: Caller): Promise<Uint8Array> {
    if (starts) await this.#start(session, number)
    const transaction = this.#require(session, number)
    if (transaction.state !== 'active') throw ended(number)
    try {
      const { reply, failed } = await this.#threads.write(request, 'transaction', caller)
      // The thread has rolled it back already.
      if (failed) this.#end(transaction, 'aborted', false)
      return reply
    } catch (error) {
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
      await this.#queue.acquireWriter('transaction')
    } catch (error) {
      transaction.state = 'aborted'
      throw conflict(error)
    }
    try {
      const { failed } = await this.#threads.control('begin', NOBODY)
      if (failed) throw new MongoError('InternalError', 'The transaction could not be started')
    } catch (error) {
      transaction.state = 'aborted'
      this.#queue.releaseWriter()
      throw error
    }
    if (transaction.state !== 'starting') {
      void this.#rollBack()
      throw ended(number)
    }
    transaction.state = 'active'
    transaction.timer = setTimeout(() => this.#end(transaction, 'aborted'), LIFETIME_MS)
  }

  async commit(session: string, number: bigint): Promise<Uint8Array | undefined> {
    const transaction = this.#require(session, number)
    if (transaction.state === 'committed') return undefined
    if (transaction.state !== 'active') throw ended(number)
    transaction.state = 'committing'
    clearTimeout(transaction.timer)
    let holdsWriter = true
    try {
      const { reply, failed } = await this.#threads.control('commit', NOBODY)
      transaction.state = failed ? 'aborted' : 'committed'
      holdsWriter = false
      await this.#queue.committedInThread(() => this.#threads.control('checkpoint', NOBODY))
      return reply
    } catch (error) {
      if (holdsWriter) {
        transaction.state = 'aborted'
        this.#queue.releaseWriter()
      }
      throw toMongoError(error)
    }
  }

  async abort(session: string, number: bigint): Promise<void> {
    const transaction = this.#require(session, number)
    if (transaction.state !== 'active' && transaction.state !== 'starting') throw ended(number)
    await this.#end(transaction, 'aborted')
  }

  /** Rolls back an open transaction when its client has disconnected or ended the session. */
  abortSession(session: string): void {
    const transaction = this.#bySession.get(session)
    if (!transaction) return
    if (transaction.state === 'active' || transaction.state === 'starting') void this.#end(transaction, 'aborted')
    this.#bySession.delete(session)
  }

  #require(session: string, number: bigint): Transaction {
    const transaction = this.#bySession.get(session)
    if (!transaction || transaction.number !== number) throw ended(number)
    return transaction
  }

  /** One that is starting notices it by its state. */
  async #end(transaction: Transaction, state: 'aborted', openInThread = true): Promise<void> {
    // One that is being committed, or has ended, is no longer anybody's to end.
    if (transaction.state !== 'active' && transaction.state !== 'starting') return
    const wasActive = transaction.state === 'active'
    transaction.state = state
    clearTimeout(transaction.timer)
    if (!wasActive) return
    if (openInThread) await this.#rollBack()
    else this.#queue.releaseWriter()
  }

  async #rollBack(): Promise<void> {
    // A thread that has ended has rolled back.
    await this.#threads.control('rollback', NOBODY).catch(() => {})
    this.#queue.releaseWriter()
  }

  close(): void {
    for (const { timer } of this.#bySession.values()) clearTimeout(timer)
    this.#bySession.clear()
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
