import { PaperError } from '../paper-error.ts'
import type { PaperLimits } from '../paper-limits.ts'
import { outOfMemoryMarker } from './memory-watchdog.ts'
import type { FromChild, ReadingReply, ReadingTask } from './reading-messages.ts'
import { ReadingProcess } from './reading-process.ts'

export interface SubmitOptions {
  signal?: AbortSignal | undefined
  onPage?: ((done: number, total: number) => void) | undefined
  /** Goes before what is waiting: somebody is looking at the screen. */
  urgent?: boolean
}

export type PoolLog = (message: string, details: Record<string, unknown>) => void

interface ReadingJob {
  id: number
  task: ReadingTask
  onPage: ((done: number, total: number) => void) | undefined
  /** What may not be the file's fault is tried once more. */
  attempts: number
  settled: boolean
  resolve(reply: ReadingReply[keyof ReadingReply]): void
  reject(error: Error): void
}

interface ProcessSlot {
  process: ReadingProcess
  job: ReadingJob | null
  /** Why this pool killed it, which is what its job is told. */
  killReason: PaperError | null
  /** Tasks it was given; the memory of earlier ones may still be its own. */
  taskCount: number
  stepTimer?: NodeJS.Timeout | undefined
  paperTimer?: NodeJS.Timeout | undefined
  idleTimer?: NodeJS.Timeout | undefined
}

/** Keeps a few child processes, gives each one task at a time, and stops those that cost too much. */
export class ReadingPool {
  readonly #size: number
  readonly #limits: PaperLimits
  readonly #log: PoolLog
  readonly #slots = new Set<ProcessSlot>()
  readonly #waiting: ReadingJob[] = []
  #lastId = 0
  #closed = false

  constructor(size: number, limits: PaperLimits, log: PoolLog) {
    this.#size = size
    this.#limits = limits
    this.#log = log
  }

  submit(task: ReadingTask, options: SubmitOptions = {}): Promise<ReadingReply[keyof ReadingReply]> {
    const { signal } = options
    if (this.#closed || signal?.aborted) return Promise.reject(new PaperError('cancelled'))
    return new Promise((resolve, reject) => {
      const cancel = () => this.#cancel(job)
      const settle = () => {
        job.settled = true
        signal?.removeEventListener('abort', cancel)
      }
      const job: ReadingJob = {
        id: ++this.#lastId,
        task,
        onPage: options.onPage,
        attempts: 0,
        settled: false,
        resolve(reply) {
          settle()
          resolve(reply)
        },
        reject(error) {
          settle()
          reject(error)
        },
      }
      signal?.addEventListener('abort', cancel, { once: true })
      if (options.urgent) this.#waiting.unshift(job)
      else this.#waiting.push(job)
      this.#dispatch()
    })
  }

  /** Process ids of the children alive now. */
  pids(): number[] {
    return [...this.#slots].flatMap((seat) => seat.process.child.pid ?? [])
  }

  /** Ends every child; what was waiting or running is cancelled. */
  async close(): Promise<void> {
    this.#closed = true
    for (const job of this.#waiting.splice(0)) job.reject(new PaperError('cancelled'))
    const gone = [...this.#slots].map((seat) => {
      const ended = new Promise<void>((resolve) => seat.process.child.once('exit', () => resolve()))
      this.#kill(seat, new PaperError('cancelled'))
      return ended
    })
    await Promise.all(gone)
  }

  #dispatch(): void {
    while (this.#waiting.length > 0) {
      const seat = this.#freeSlot()
      if (!seat) return
      const job = this.#waiting.shift()
      if (job) this.#start(seat, job)
    }
  }

  #freeSlot(): ProcessSlot | null {
    for (const seat of this.#slots) if (!seat.job && !seat.killReason) return seat
    return this.#slots.size < this.#size ? this.#openSlot() : null
  }

  #openSlot(): ProcessSlot {
    const seat: ProcessSlot = {
      process: new ReadingProcess(this.#limits.childMegabytes),
      job: null,
      killReason: null,
      taskCount: 0,
    }
    this.#slots.add(seat)
    seat.process.onMessage((message) => this.#onMessage(seat, message))
    seat.process.child.on('error', (error) => this.#log('paper reader failed to start', { error: error.message }))
    // `close`, not `exit`: by then everything it wrote to stderr has come.
    seat.process.child.once('close', (code, signal) => this.#onExit(seat, code, signal))
    return seat
  }

  #start(seat: ProcessSlot, job: ReadingJob): void {
    clearTimeout(seat.idleTimer)
    seat.job = job
    job.attempts += 1
    seat.taskCount += 1
    seat.process.setKeepsAlive(true)
    const tooLong = () => this.#kill(seat, new PaperError('too_long'))
    seat.paperTimer = setTimeout(tooLong, this.#limits.secondsPerPaper * 1000)
    this.#startStep(seat)
    seat.process.send({ id: job.id, task: job.task, limits: this.#limits })
  }

  #startStep(seat: ProcessSlot): void {
    clearTimeout(seat.stepTimer)
    const tooLong = () => this.#kill(seat, new PaperError('too_long'))
    seat.stepTimer = setTimeout(tooLong, this.#limits.secondsPerPage * 1000)
  }

  #onMessage(seat: ProcessSlot, message: FromChild): void {
    const { job } = seat
    if (!job || seat.killReason || message.id !== job.id) return
    if (message.type === 'step' || message.type === 'page') {
      this.#startStep(seat)
      if (message.type === 'page') job.onPage?.(message.done, message.total)
      return
    }
    this.#release(seat)
    if (message.discard) this.#kill(seat, new PaperError('cancelled'))
    if (message.type === 'done') job.resolve(message.reply)
    else {
      this.#log('paper could not be read', { code: message.code, cause: message.cause })
      job.reject(new PaperError(message.code, message.message, { cause: message.cause }))
    }
    this.#dispatch()
  }

  #release(seat: ProcessSlot): void {
    seat.job = null
    clearTimeout(seat.stepTimer)
    clearTimeout(seat.paperTimer)
    seat.process.setKeepsAlive(false)
    seat.idleTimer = setTimeout(() => this.#kill(seat, new PaperError('cancelled')), this.#limits.idleSeconds * 1000)
    seat.idleTimer.unref()
  }

  #kill(seat: ProcessSlot, verdict: PaperError): void {
    seat.killReason ??= verdict
    clearTimeout(seat.idleTimer)
    // What waits starts when it has ended, so its end must be waited for.
    seat.process.setKeepsAlive(true)
    seat.process.kill()
  }

  #cancel(job: ReadingJob): void {
    if (job.settled) return
    const place = this.#waiting.indexOf(job)
    if (place >= 0) this.#waiting.splice(place, 1)
    for (const seat of this.#slots) if (seat.job === job) this.#kill(seat, new PaperError('cancelled'))
    job.reject(new PaperError('cancelled'))
  }

  #onExit(seat: ProcessSlot, code: number | null, signal: string | null): void {
    const { job } = seat
    this.#slots.delete(seat)
    this.#release(seat)
    clearTimeout(seat.idleTimer)
    if (job && !job.settled) {
      const verdict = seat.killReason ?? outOfMemoryError(seat.process.stderr)
      this.#log('paper reader ended', { verdict: verdict?.code, code, signal, stderr: seat.process.stderr })
      // Killed by somebody else, or full of what earlier papers left behind: not this paper's fault.
      const innocent = !verdict || (verdict.code === 'too_much_memory' && seat.taskCount > 1)
      if (innocent && job.attempts < 2 && !this.#closed) this.#waiting.unshift(job)
      else job.reject(verdict ?? new PaperError('damaged'))
    }
    this.#dispatch()
  }
}

function outOfMemoryError(stderr: string): PaperError | null {
  const out = stderr.includes(outOfMemoryMarker) || /heap out of memory|allocation failed/i.test(stderr)
  return out ? new PaperError('too_much_memory') : null
}
