import { type Doc, isDoc, toNumber } from '../bson-values.ts'
import { type CommandLimits, NotQuick, UNLIMITED, withLimits } from '../command-limits.ts'
import { type Command, type CommandContext, numberOption, type Reply } from '../commands/command.ts'
import { requireCommand } from '../commands/command-table.ts'
import { sessionsIn } from '../commands/server-info.commands.ts'
import { MongoError } from '../mongo-error.ts'
import type { Store, StoreOptions } from '../storage/store.ts'
import type { Request } from '../wire/message.ts'
import { Cursors } from './cursors.ts'
import { GroupCommit } from './group-commit.ts'
import { commandContext, commandName, failureReply, sessionKey } from './run-command.ts'
import { type Caller, NOBODY } from './threads/call.ts'
import { CommandThreads } from './threads/command-threads.ts'
import type { Answer } from './threads/thread-messages.ts'
import { Transactions } from './transactions.ts'

/** A write with more bytes than this takes long, even to decode. */
const MAX_QUICK_BYTES = 1024 * 1024

export interface EngineOptions extends StoreOptions {
  folder: string
  openStore: () => Store
  /** How long a write waits for another client's transaction. */
  waitMs: number
  /** How long a command may take in the thread that serves everybody. */
  quickMs: number
  log: (line: string) => void
}

/** A connection. */
export interface Client {
  /** Of which it used a transaction. */
  sessions: Set<string>
  /** Aborted when it has disconnected. */
  signal: AbortSignal
}

/**
 * Answers commands: each one reads, joins the group commit or belongs to a transaction. One that turns out not to be quick is undone and
 * run again in another thread, so that no command keeps others waiting.
 */
export class Engine {
  readonly store: Store
  readonly writes: GroupCommit
  readonly #threads: CommandThreads
  readonly #transactions: Transactions
  readonly #cursors: Cursors
  readonly #options: EngineOptions

  constructor(options: EngineOptions) {
    this.#options = options
    this.store = options.openStore()
    this.store.refresh()
    this.writes = new GroupCommit(this.store, options.waitMs)
    const { folder, maxPages, durable, memoryLimit, commitMs, log } = options
    this.#threads = new CommandThreads({ folder, maxPages, durable, memoryLimit, commitMs, log })
    this.#transactions = new Transactions(this.writes, this.#threads)
    this.#cursors = new Cursors(0, (id) => this.#threads.killCursor(id))
  }

  async handle(request: Request, client: Client): Promise<Reply> {
    try {
      const answer = this.#answer(request, client)
      return answer instanceof Promise ? await answer : answer
    } catch (error) {
      return failureReply(error, request.body, this.#options.log)
    }
  }

  #answer(request: Request, client: Client): Reply | Promise<Reply> {
    const { body } = request
    const name = commandName(body)
    if (name === 'endSessions' || name === 'killSessions') {
      for (const session of sessionsIn(body)) this.#transactions.abortSession(sessionKey(session))
      return { ok: 1 }
    }
    const transaction = transactionOf(body)
    if (name === 'commitTransaction' || name === 'abortTransaction') return this.#endTransaction(name, transaction)
    const command = requireCommand(name, body)
    const caller = { signal: client.signal, endsAt: endOf(body) }
    if (transaction) {
      client.sessions.add(transaction.session)
      const { session, number } = transaction
      return this.#transactions.run(session, number, body.startTransaction === true, request, caller)
    }
    const context: CommandContext = {
      ...commandContext(request, this.store, this.#cursors, this.#options.folder),
      active: () => this.#threads.active(),
    }
    if (command.kind === 'state') return command.run(context)
    return command.kind === 'read' ? this.#read(command, context, caller) : this.#write(command, context, caller)
  }

  #read(command: Command, context: CommandContext, caller: Caller): Reply | Promise<Reply> {
    const { name, request, argument } = context
    const owner = name === 'getMore' ? this.#threads.ownerOf(BigInt(String(argument))) : undefined
    if (owner) return this.#threads.read(request, caller, owner)
    if (this.#options.quickMs === 0 && name !== 'getMore') {
      this.writes.flush()
      return this.#threads.read(request, caller)
    }
    try {
      return this.writes.read(() => withLimits(this.#limits(name, caller), () => command.run(context)))
    } catch (error) {
      if (!(error instanceof NotQuick)) throw error
      // The other thread sees what is committed.
      this.writes.flush()
      return this.#threads.read(request, caller)
    }
  }

  async #write(command: Command, context: CommandContext, caller: Caller): Promise<Reply> {
    const { name, request } = context
    if (request.message.length > MAX_QUICK_BYTES || this.#options.quickMs === 0)
      return await this.#writeLong(request, caller)
    try {
      return await this.writes.write(() => withLimits(this.#limits(name, caller), () => command.run(context)), caller)
    } catch (error) {
      if (!(error instanceof NotQuick)) throw error
      return await this.#writeLong(request, caller)
    }
  }

  async #writeLong(request: Request, caller: Caller): Promise<Reply> {
    await this.writes.acquireWriter('command', caller)
    let written: Answer
    try {
      written = await this.#threads.write(request, 'write', caller)
    } catch (error) {
      this.writes.releaseWriter()
      throw error
    }
    await this.writes.committedInThread(() => this.#threads.control('checkpoint', NOBODY))
    return written.reply
  }

  #limits(name: string, { endsAt }: Caller): CommandLimits {
    const until = performance.now() + this.#options.quickMs
    // The rest of a cursor is not started again elsewhere: its batches are short instead.
    return name === 'getMore' ? { ...UNLIMITED, endsAt, batchUntil: until } : { quickUntil: until, endsAt }
  }

  async #endTransaction(name: string, transaction: { session: string; number: bigint } | undefined): Promise<Reply> {
    if (!transaction) throw new MongoError('NoSuchTransaction', `${name} needs a transaction`)
    const { session, number } = transaction
    if (name === 'commitTransaction') return (await this.#transactions.commit(session, number)) ?? { ok: 1 }
    await this.#transactions.abort(session, number)
    return { ok: 1 }
  }

  /** Closes what a client has left open, so that it does not block others. */
  disconnected(client: Client): void {
    for (const session of client.sessions) this.#transactions.abortSession(session)
  }

  /** Commits what is pending; ends what is running, which nobody was told to be done. */
  async close(): Promise<void> {
    this.writes.close()
    this.#transactions.close()
    await this.#threads.close()
    this.#cursors.close()
    this.store.finish()
    this.store.close()
  }
}

function transactionOf(body: Doc): { session: string; number: bigint } | undefined {
  if (body.autocommit !== false || !isDoc(body.lsid)) return undefined
  return { session: sessionKey(body.lsid), number: BigInt(String(body.txnNumber)) }
}

function endOf(body: Doc): number {
  if (toNumber(body.maxTimeMS) === undefined && body.maxTimeMS !== undefined) {
    throw new MongoError('BadValue', 'maxTimeMS must be a number')
  }
  const ms = numberOption(body, 'maxTimeMS')
  return ms === 0 ? Number.POSITIVE_INFINITY : performance.now() + ms
}
