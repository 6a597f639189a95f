import { Worker } from 'node:worker_threads'
import { Interruption } from '../../command-limits.ts'
import { MongoError } from '../../mongo-error.ts'
import type { StoreOptions } from '../../storage/store.ts'
import type { Call } from './call.ts'
import {
  CONTROL_SLOTS,
  ControlSlot,
  type FromThread,
  Phase,
  type ThreadSettings,
  type ToThread,
} from './thread-messages.ts'

const LOOK_EVERY_MS = 250
const MAX_REGEX_MS = 1_000
/** How long a command that was told to end may go without a step before its thread is ended instead. */
const MAX_DEAF_MS = 2_000
const KEEP_IDLE_MS = 10_000
const KEEP_CURSORS_MS = 10 * 60_000

export interface ThreadOptions extends StoreOptions {
  folder: string
  cacheKilobytes: number
  log: (line: string) => void
}

interface Owner {
  /** The next call, when the thread has nothing of its own to do. */
  next(): Call | undefined
  ended(): void
}

let lastNumber = 0

/** A thread for long commands as seen from the one that serves everybody: gives it one call at a time and watches it. */
export class CommandThread {
  /** Open cursors. */
  readonly cursors = new Set<bigint>()
  /** Resolves when the thread has ended, however. */
  readonly exited: Promise<void>
  readonly #worker: Worker
  readonly #control: Int32Array
  readonly #owner: Owner
  #queue: Call[] = []
  #running: Call | undefined
  #watch: NodeJS.Timeout | undefined
  #idle: NodeJS.Timeout | undefined
  #inTransaction = false
  #ending: Error | undefined

  constructor(options: ThreadOptions, owner: Owner) {
    this.#owner = owner
    const control = new SharedArrayBuffer(CONTROL_SLOTS * Int32Array.BYTES_PER_ELEMENT)
    this.#control = new Int32Array(control)
    const { log, ...settings } = options
    this.#worker = new Worker(new URL('../../thread.ts', import.meta.url), {
      workerData: { ...settings, number: ++lastNumber, control } satisfies ThreadSettings,
      execArgv: [],
      // As of the thread that serves everybody. Of what a command may hold, 160 MB as estimated are the most.
      resourceLimits: { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 256 },
    })
    this.#worker.on('message', (message: FromThread) => {
      if (message.kind === 'log') log(message.line)
      else this.#answered(message)
    })
    this.#worker.on('error', (error) => {
      log(`embedded database: a thread for long commands ended unexpectedly: ${error.message}`)
      this.#ending ??= new MongoError('InternalError', `The command was lost with its thread: ${error.message}`)
    })
    this.exited = new Promise((resolve) => this.#worker.once('exit', () => resolve(this.#exit())))
  }

  get busy(): boolean {
    return this.#running !== undefined || this.#queue.length > 0 || this.#inTransaction
  }

  /** Will take no more calls. */
  get ending(): boolean {
    return this.#ending !== undefined
  }

  add(call: Call): void {
    if (this.#ending) call.reject(this.#ending)
    else this.#queue.push(call)
    this.look()
  }

  /** Starts the next call if there is one and nothing is running. */
  look(): void {
    if (this.#running || this.#ending) return
    clearTimeout(this.#idle)
    const call = this.#take()
    if (call) this.#start(call)
    else if (!this.#inTransaction) {
      const keepMs = this.cursors.size > 0 ? KEEP_CURSORS_MS : KEEP_IDLE_MS
      this.#idle = setTimeout(() => void this.stop(), keepMs).unref()
    }
  }

  #take(): Call | undefined {
    for (;;) {
      const call = this.#queue.shift() ?? this.#owner.next()
      if (!call?.settled) return call
    }
  }

  #start(call: Call): void {
    this.#running = call
    call.onEnd = () => Atomics.store(this.#control, ControlSlot.ended, call.number)
    this.#watch = watch(this.#control, call, (error) => void this.#terminate(error))
    this.#post({ kind: 'call', call: call.number, work: call.work })
  }

  #post(message: ToThread): void {
    const bytes = message.kind === 'call' && message.work.kind === 'run' ? message.work.message : undefined
    this.#worker.postMessage(message, bytes ? [bytes.buffer as ArrayBuffer] : [])
  }

  #answered(message: FromThread & { kind: 'answer' }): void {
    const call = this.#running
    if (!call || call.number !== message.call) return
    clearInterval(this.#watch)
    this.#running = undefined
    this.cursors.clear()
    for (const id of message.cursors) this.cursors.add(id)
    const { kind } = call.work
    if (kind === 'begin') this.#inTransaction = !message.failed
    else if (kind !== 'run' || (call.work.mode === 'transaction' && message.failed)) this.#inTransaction = false
    if (message.failed && call.endReason) call.reject(call.endReason)
    else call.resolve({ reply: message.reply, failed: message.failed })
    this.look()
  }

  killCursor(id: bigint): void {
    this.cursors.delete(id)
    this.#post({ kind: 'kill-cursor', id })
  }

  /** Ends what is running or waiting, and has the thread close its connection. */
  async stop(): Promise<void> {
    this.#ending ??= new Interruption('Interrupted')
    clearTimeout(this.#idle)
    this.#running?.end(new Interruption('Interrupted'))
    this.#post({ kind: 'stop' })
    await this.exited
  }

  async #terminate(error: Error): Promise<void> {
    const phase = Atomics.compareExchange(this.#control, ControlSlot.phase, Phase.open, Phase.ending)
    // What is being committed is done, and its client is told so.
    if (phase === Phase.committing) return
    this.#ending = error
    await this.#worker.terminate()
  }

  #exit(): void {
    this.#ending ??= new MongoError('InternalError', 'The command was lost with its thread')
    clearTimeout(this.#idle)
    clearInterval(this.#watch)
    for (const call of [this.#running, ...this.#queue]) call?.reject(this.#ending)
    this.#running = undefined
    this.#queue = []
    this.cursors.clear()
    this.#owner.ended()
  }
}

/** JavaScript cannot be interrupted within one regular expression or one call of a library, only its thread ended. */
function watch(control: Int32Array, call: Call, terminate: (error: Error) => void): NodeJS.Timeout {
  const read = (slot: number) => Atomics.load(control, slot)
  let regex = { count: read(ControlSlot.regex), since: performance.now() }
  let step = { count: read(ControlSlot.progress), since: performance.now() }
  return setInterval(() => {
    const now = performance.now()
    if (read(ControlSlot.regex) !== regex.count) regex = { count: read(ControlSlot.regex), since: now }
    if (read(ControlSlot.progress) !== step.count) step = { count: read(ControlSlot.progress), since: now }
    if (regex.count % 2 !== 0 && now - regex.since >= MAX_REGEX_MS) terminate(regexTooSlow())
    else if (call.endedAt !== undefined && now - Math.max(call.endedAt, step.since) >= MAX_DEAF_MS) {
      terminate(call.endReason ?? new Interruption('Interrupted'))
    }
  }, LOOK_EVERY_MS).unref()
}

function regexTooSlow(): MongoError {
  return new MongoError(
    'Location51156',
    `A regular expression took longer than ${MAX_REGEX_MS / 1000} s on one text, and the command was ended. Use a pattern with fewer nested repetitions.`,
  )
}
