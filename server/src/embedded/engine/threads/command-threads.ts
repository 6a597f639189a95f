import { Interruption } from '../../command-limits.ts'
import type { Request } from '../../wire/message.ts'
import { Call, type Caller } from './call.ts'
import { CommandThread, type ThreadOptions } from './command-thread.ts'
import type { Answer, ControlKind, RunMode, Work } from './thread-messages.ts'

/** More would not be faster on a small machine, and each costs some 30 MB. */
const MAX_READERS = 2
const READER_CACHE_KILOBYTES = 4_000
const WRITER_CACHE_KILOBYTES = 16_000

/** The threads for long commands, started when first needed: two that read, and one that has the writer for as long as its command or transaction lasts. */
export class CommandThreads {
  readonly #options: Omit<ThreadOptions, 'cacheKilobytes'>
  readonly #readers = new Set<CommandThread>()
  #writer: CommandThread | undefined
  #waiting: Call[] = []
  #closed = false

  constructor(options: Omit<ThreadOptions, 'cacheKilobytes'>) {
    this.#options = options
  }

  /** Runs a read in the given thread, or in the first of the readers that is free. */
  async read(request: Request, caller: Caller, thread?: CommandThread): Promise<Uint8Array> {
    const call = new Call(runWork(request, 'read', caller), caller)
    if (thread) thread.add(call)
    else {
      this.#assertOpen()
      this.#waiting.push(call)
      this.#freeReader()?.look()
    }
    return (await call.answer).reply
  }

  /** For whoever holds the writer. */
  async write(request: Request, mode: 'write' | 'transaction', caller: Caller): Promise<Answer> {
    return await this.#inWriter(new Call(runWork(request, mode, caller), caller))
  }

  async control(kind: ControlKind, caller: Caller): Promise<Answer> {
    return await this.#inWriter(new Call({ kind }, caller))
  }

  async #inWriter(call: Call): Promise<Answer> {
    this.#assertOpen()
    if (!this.#writer || this.#writer.ending) this.#writer = this.#startWriter()
    this.#writer.add(call)
    return await call.answer
  }

  #startWriter(): CommandThread {
    const thread: CommandThread = new CommandThread(
      { ...this.#options, cacheKilobytes: WRITER_CACHE_KILOBYTES },
      {
        next: () => undefined,
        ended: () => {
          if (this.#writer === thread) this.#writer = undefined
        },
      },
    )
    return thread
  }

  #freeReader(): CommandThread | undefined {
    const readers = [...this.#readers].filter((reader) => !reader.ending)
    const free = readers.find((reader) => !reader.busy)
    if (free || readers.length >= MAX_READERS) return free
    const thread: CommandThread = new CommandThread(
      { ...this.#options, cacheKilobytes: READER_CACHE_KILOBYTES },
      {
        next: () => this.#waiting.shift(),
        ended: () => {
          this.#readers.delete(thread)
          if (this.#waiting.length > 0 && !this.#closed) this.#freeReader()?.look()
        },
      },
    )
    this.#readers.add(thread)
    return thread
  }

  /** The thread with this cursor; undefined when none has it. */
  ownerOf(cursor: bigint): CommandThread | undefined {
    return [...this.#readers, this.#writer].find((thread) => thread?.cursors.has(cursor))
  }

  killCursor(id: bigint): boolean {
    const owner = this.ownerOf(id)
    owner?.killCursor(id)
    return owner !== undefined
  }

  active(): { readers: number; writers: number } {
    const readers = [...this.#readers].filter((reader) => reader.busy)
    return { readers: readers.length, writers: this.#writer?.busy ? 1 : 0 }
  }

  #assertOpen(): void {
    if (this.#closed) throw new Interruption('Interrupted')
  }

  /** Ends all commands. What is not committed is rolled back. */
  async close(): Promise<void> {
    this.#closed = true
    for (const call of this.#waiting.splice(0)) call.end(new Interruption('Interrupted'))
    await Promise.all([...this.#readers, this.#writer].map((thread) => thread?.stop()))
  }
}

function runWork(request: Request, mode: RunMode, { endsAt }: Caller): Work {
  // A copy, as it is handed over to the thread.
  return { kind: 'run', mode, message: new Uint8Array(request.message), endsAt: performance.timeOrigin + endsAt }
}
