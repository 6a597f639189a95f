import { type Doc, encode, isDoc } from '../bson-values.ts'
import type { Command, CommandContext, Reply } from '../commands/command.ts'
import { requireCommand } from '../commands/command-table.ts'
import { sessionsIn } from '../commands/server-info.commands.ts'
import { MongoError, toMongoError } from '../mongo-error.ts'
import type { Store } from '../storage/store.ts'
import type { Request } from '../wire/message.ts'
import { Cursors } from './cursors.ts'
import { GroupCommit } from './group-commit.ts'
import { Transactions } from './transactions.ts'

interface EngineOptions {
  folder: string
  openStore: () => Store
  /** How long a write waits for another client's transaction. */
  waitMs: number
  log: (line: string) => void
}

/** Answers commands: each one reads, joins the group commit or belongs to a transaction. */
export class Engine {
  readonly store: Store
  readonly writes: GroupCommit
  readonly #transactions: Transactions
  readonly #cursors = new Cursors()
  readonly #options: EngineOptions

  constructor(options: EngineOptions) {
    this.#options = options
    this.store = options.openStore()
    this.store.refresh()
    this.writes = new GroupCommit(this.store, options.waitMs)
    this.#transactions = new Transactions(this.store, this.writes, options.openStore)
  }

  async handle(request: Request, sessionsSeen: Set<string>): Promise<Reply> {
    try {
      const answer = this.#answer(request, sessionsSeen)
      return answer instanceof Promise ? await answer : answer
    } catch (error) {
      return this.#failure(error, request)
    }
  }

  #answer(request: Request, sessionsSeen: Set<string>): Reply | Promise<Reply> {
    const { body } = request
    const [name = ''] = Object.keys(body)
    if (name === 'endSessions' || name === 'killSessions') {
      for (const session of sessionsIn(body)) this.#transactions.abortSession(sessionKey(session))
      return { ok: 1 }
    }
    const transaction = transactionOf(body)
    if (name === 'commitTransaction' || name === 'abortTransaction') return this.#endTransaction(name, transaction)
    const command = requireCommand(name, body)
    const context = this.#context(request, name)
    if (transaction) {
      sessionsSeen.add(transaction.session)
      return this.#transactions.run(transaction.session, transaction.number, body.startTransaction === true, (store) =>
        command.run({ ...context, store }),
      )
    }
    return this.#outside(command, context)
  }

  #outside(command: Command, context: CommandContext): Reply | Promise<Reply> {
    if (command.kind === 'state') return command.run(context)
    if (command.kind === 'read') return this.writes.read(() => command.run(context))
    return this.writes.write(() => command.run(context))
  }

  #context(request: Request, name: string): CommandContext {
    const { body } = request
    return {
      store: this.store,
      cursors: this.#cursors,
      request,
      body,
      database: String(body.$db ?? 'admin'),
      name,
      argument: body[name],
      dataFolder: this.#options.folder,
      checkpoint: () => {},
    }
  }

  #endTransaction(name: string, transaction: { session: string; number: bigint } | undefined): Reply {
    if (!transaction) throw new MongoError('NoSuchTransaction', `${name} needs a transaction`)
    if (name === 'commitTransaction') this.#transactions.commit(transaction.session, transaction.number)
    else this.#transactions.abort(transaction.session, transaction.number)
    return { ok: 1 }
  }

  #failure(error: unknown, request: Request): Doc {
    const shown = toMongoError(error)
    if (shown.codeName === 'InternalError' || shown.codeName === 'OutOfDiskSpace') {
      this.#options.log(`embedded database: ${Object.keys(request.body)[0]} failed: ${shown.message}`)
    }
    const { labels, keyPattern, keyValue } = shown.details
    return {
      ok: 0,
      errmsg: shown.message,
      code: shown.code,
      codeName: shown.codeName,
      ...(keyPattern ? { keyPattern, keyValue } : {}),
      ...(labels ? { errorLabels: labels } : {}),
    }
  }

  /** A client has disconnected: closes what it left open, so that it does not block others. */
  disconnected(sessions: Set<string>): void {
    for (const session of sessions) this.#transactions.abortSession(session)
  }

  close(): void {
    this.#transactions.close()
    this.writes.close()
    this.store.close()
  }
}

function transactionOf(body: Doc): { session: string; number: bigint } | undefined {
  if (body.autocommit !== false || !isDoc(body.lsid)) return undefined
  return { session: sessionKey(body.lsid), number: BigInt(String(body.txnNumber)) }
}

function sessionKey(lsid: unknown): string {
  return isDoc(lsid) ? Buffer.from(encode({ id: lsid.id })).toString('base64') : ''
}
