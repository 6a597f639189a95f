import { Worker } from 'node:worker_threads'
import type { Doc } from '../bson-values.ts'
import { NotQuick, runQuickly } from '../command-limits.ts'
import {
  type Command,
  type CommandContext,
  commandContext,
  commandName,
  type Reply,
  type Rest,
} from '../commands/command.ts'
import { requireCommand } from '../commands/command-table.ts'
import { restReader } from '../commands/find.commands.ts'
import { MongoError, toMongoError } from '../mongo-error.ts'
import type { Store, StoreOptions } from '../storage/store.ts'
import { cursorReply } from '../wire/cursor-reply.ts'
import type { Request } from '../wire/message.ts'
import { Cursor, Cursors } from './cursors.ts'
import { GroupCommit } from './group-commit.ts'

/** A larger write takes long even to decode. */
const MAX_QUICK_BYTES = 1024 * 1024
/** More are no faster on a small machine, and each costs some 30 MB. */
const READERS = 2

interface EngineOptions extends StoreOptions {
  folder: string
  openStore: () => Store
  quickMs: number
  log: (line: string) => void
}

/** A command that is not quick is undone and run again in another thread, so that others need not wait. */
export class Engine {
  readonly store: Store
  readonly writes: GroupCommit
  readonly #options: EngineOptions
  readonly #cursors = new Cursors()
  readonly #readers: CommandThread[]
  readonly #writer: CommandThread

  constructor(options: EngineOptions) {
    this.#options = options
    this.store = options.openStore()
    this.store.refresh()
    this.writes = new GroupCommit(this.store)
    this.#readers = Array.from({ length: READERS }, () => new CommandThread('read', options))
    this.#writer = new CommandThread('write', options)
  }

  async handle(request: Request): Promise<Reply> {
    try {
      return await this.#answer(request)
    } catch (error) {
      return failureReply(error, request.body, this.#options.log)
    }
  }

  #answer(request: Request): Reply | Promise<Reply> {
    const command = requireCommand(commandName(request.body), request.body)
    const context: CommandContext = commandContext(request, {
      store: this.store,
      cursors: this.#cursors,
      reply: (namespace, batch, rest) => {
        const id = rest ? this.#cursors.newId() : 0n
        if (rest) this.#openCursor(id, context, rest)
        return cursorReply('firstBatch', batch, id, namespace)
      },
    })
    if (command.kind === 'state') return command.run(context)
    return command.kind === 'read' ? this.#read(command, context) : this.#write(command, context)
  }

  #openCursor(id: bigint, context: CommandContext, rest: Rest): void {
    this.#cursors.add(id, new Cursor(restReader(context, rest)))
  }

  #read(command: Command, context: CommandContext): Reply | Promise<Reply> {
    // Cursors are in this thread only; batches are short.
    if (context.name === 'getMore') return this.writes.read(() => command.run(context))
    try {
      return this.writes.read(() => runQuickly(this.#options.quickMs, () => command.run(context)))
    } catch (error) {
      if (!(error instanceof NotQuick)) throw error
    }
    // The other thread sees only what is committed.
    this.writes.flush()
    return this.#runInThread(this.#idlestReader(), context)
  }

  async #write(command: Command, context: CommandContext): Promise<Reply> {
    if (context.request.message.length <= MAX_QUICK_BYTES) {
      try {
        return await this.writes.write(() => runQuickly(this.#options.quickMs, () => command.run(context)))
      } catch (error) {
        if (!(error instanceof NotQuick)) throw error
      }
    }
    return await this.writes.writeInThread(() => this.#runInThread(this.#writer, context))
  }

  #idlestReader(): CommandThread {
    return this.#readers.reduce((best, reader) => (reader.calls < best.calls ? reader : best))
  }

  async #runInThread(thread: CommandThread, context: CommandContext): Promise<Reply> {
    const id = this.#cursors.newId()
    const { reply, rest } = await thread.run(context.request, id)
    if (rest) this.#openCursor(id, context, rest)
    return reply
  }

  async close(): Promise<void> {
    this.writes.close()
    await Promise.all([...this.#readers, this.#writer].map((thread) => thread.stop()))
    this.store.close()
  }
}

export function failureReply(error: unknown, body: Doc, log: (line: string) => void): Doc {
  const { message, code, codeName, details } = toMongoError(error)
  if (codeName === 'InternalError' || codeName === 'OutOfDiskSpace') {
    log(`embedded database: ${commandName(body)} failed: ${message}`)
  }
  return { ok: 0, errmsg: message, code, codeName, ...details }
}

const KEEP_IDLE_MS = 10_000

interface Call {
  resolve: (answer: ThreadAnswer) => void
  reject: (error: Error) => void
}

class CommandThread {
  readonly #settings: ThreadSettings
  readonly #log: (line: string) => void
  #worker: Worker | undefined
  #calls: Call[] = []
  #idle: NodeJS.Timeout | undefined
  #stopped = false

  constructor(mode: 'read' | 'write', { folder, durable, maxPages, log }: EngineOptions) {
    this.#settings = { mode, folder, durable, maxPages }
    this.#log = log
  }

  get calls(): number {
    return this.#calls.length
  }

  /** `cursorId` is for what does not fit into the first batch. */
  run(request: Request, cursorId: bigint): Promise<ThreadAnswer> {
    if (this.#stopped) throw new MongoError('InternalError', 'The database is stopping')
    clearTimeout(this.#idle)
    this.#worker ??= this.#start()
    // A copy, as it is transferred to the thread.
    const message = new Uint8Array(request.message)
    this.#worker.postMessage({ message, cursorId } satisfies ToThread, [message.buffer])
    return new Promise((resolve, reject) => this.#calls.push({ resolve, reject }))
  }

  #start(): Worker {
    const worker = new Worker(new URL('../thread.ts', import.meta.url), {
      workerData: this.#settings,
      execArgv: [],
      // As of the serving thread.
      resourceLimits: { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 512 },
    })
    let reason = 'it was ended'
    worker.on('message', (message: FromThread) => {
      if (message.kind === 'log') this.#log(message.line)
      else this.#answered(message)
    })
    worker.on('error', (error) => {
      reason = error.message
      this.#log(`embedded database: a thread for long commands ended unexpectedly: ${reason}`)
    })
    worker.once('exit', () => {
      // An idle one's successor may have started already.
      if (this.#worker !== worker) return
      this.#worker = undefined
      const lost = new MongoError('InternalError', `The command was lost with its thread: ${reason}`)
      for (const call of this.#calls.splice(0)) call.reject(lost)
    })
    return worker
  }

  #answered(answer: ThreadAnswer): void {
    this.#calls.shift()?.resolve(answer)
    if (this.#calls.length === 0) this.#idle = setTimeout(() => this.#endIdle(), KEEP_IDLE_MS).unref()
  }

  #endIdle(): void {
    void this.#worker?.terminate()
    this.#worker = undefined
  }

  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#idle)
    await this.#worker?.terminate()
  }
}

export interface ThreadSettings extends StoreOptions {
  mode: 'read' | 'write'
  folder: string
}

export interface ToThread {
  message: Uint8Array
  cursorId: bigint
}

export interface ThreadAnswer {
  reply: Uint8Array
  rest: Rest | undefined
}

export type FromThread = ({ kind: 'answer' } & ThreadAnswer) | { kind: 'log'; line: string }
