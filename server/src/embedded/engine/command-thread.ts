import { Worker } from 'node:worker_threads'
import { MongoError } from '../mongo-error.ts'
import type { StoreOptions } from '../storage/store.ts'
import type { Request } from '../wire/message.ts'
import type { FromThread, ThreadAnswer, ThreadSettings, ToThread } from './thread-messages.ts'

const KEEP_IDLE_MS = 10_000

interface Options extends StoreOptions {
  folder: string
  log: (line: string) => void
}

interface Call {
  resolve: (answer: ThreadAnswer) => void
  reject: (error: Error) => void
}

/** Runs long commands one by one; started when first needed, ended when idle. */
export class CommandThread {
  readonly #settings: ThreadSettings
  readonly #log: (line: string) => void
  #worker: Worker | undefined
  #calls: Call[] = []
  #idle: NodeJS.Timeout | undefined
  #stopped = false

  constructor(mode: 'read' | 'write', { folder, durable, maxPages, log }: Options) {
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

  /** Running commands are rolled back. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#idle)
    await this.#worker?.terminate()
  }
}
