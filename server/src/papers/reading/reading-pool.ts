import { AsyncLocalStorage } from 'node:async_hooks'
import { type Metrics, secondsSince } from '../../lib/metrics/metrics.ts'
import { currentFairShareKey } from '../../lib/request-context.ts'
import { PaperError, type PaperErrorCode } from '../paper-error.ts'
import type { PaperLimits } from '../paper-limits.ts'
import type { FromChild, ReadingReply, ReadingTask } from './reading-messages.ts'
import { ReadingProcess } from './reading-process.ts'
import { exceededLimit } from './watchdog.ts'

export interface SubmitOptions {
  signal?: AbortSignal | undefined
  onPage?: ((done: number, total: number) => void) | undefined
  urgent?: boolean
}

type Reply = ReadingReply[keyof ReadingReply]

export type PoolMetrics = Pick<Metrics, 'readingSeconds' | 'readPages'>

export type PoolLog = (message: string, details: Record<string, unknown>) => void

interface ReadingJob {
  id: number
  task: ReadingTask
  urgent: boolean
  fairShareKey: string
  /** Called, like `onPage`, under the id of the request that is read for. */
  log: PoolLog
  began: number
  onPage: ((done: number, total: number) => void) | undefined
  attempts: number
  settled: boolean
  resolve(reply: Reply): void
  reject(error: Error): void
}

/** Their WASM memory never shrinks, and Tesseract on top of it would exceed the process's limit. */
const LOOKING: ReadonlySet<ReadingTask['kind']> = new Set(['scan', 'pageCodes'])
/** A fraction of a second each: an extra process does them while long tasks hold the others. */
const QUICK: ReadonlySet<ReadingTask['kind']> = new Set(['render', 'check', 'count', 'usage'])
/** May take minutes: never on all processes at once, where there are several. */
const BULK: ReadonlySet<ReadingTask['kind']> = new Set(['print', 'printSheets', 'scan', 'compose'])
/** Large replies, asked for repeatedly by the same person; made once for all who wait. */
const SHARED: ReadonlySet<ReadingTask['kind']> = new Set(['render', 'markup', 'print', 'printSheets', 'separators'])
/** The last is made while no other long task runs, as the machine may have been short of memory. */
const MAX_ATTEMPTS = 3

interface SharedTask {
  reply: Promise<Reply>
  waiting: number
  stop: AbortController
}

interface ProcessSlot {
  process: ReadingProcess
  job: ReadingJob | null
  isKilled: boolean
  taskCount: number
  hasLookedAtPages: boolean
  idleTimer?: NodeJS.Timeout | undefined
}

/** Tasks go by the person or course with the fewest running, then by who was served longest ago. */
export class ReadingPool {
  readonly #size: number
  readonly #limits: PaperLimits
  readonly #log: PoolLog
  readonly #metrics: PoolMetrics | null
  readonly #slots = new Set<ProcessSlot>()
  readonly #waiting: ReadingJob[] = []
  readonly #shared = new Map<string, SharedTask>()
  /** By fair-share key: the last task started. Emptied when nothing waits. */
  readonly #served = new Map<string, number>()
  #lastId = 0
  #closed = false

  constructor(size: number, limits: PaperLimits, log: PoolLog, metrics: PoolMetrics | null = null) {
    this.#size = size
    this.#limits = limits
    this.#log = log
    this.#metrics = metrics
  }

  async submit(task: ReadingTask, options: SubmitOptions = {}): Promise<Reply> {
    const { signal } = options
    if (this.#closed || signal?.aborted) throw new PaperError('cancelled')
    return SHARED.has(task.kind) ? this.#submitShared(task, options) : this.#enqueue(task, options)
  }

  async #submitShared(task: ReadingTask, { signal, ...options }: SubmitOptions): Promise<Reply> {
    const key = JSON.stringify([options.urgent, task])
    let shared = this.#shared.get(key)
    if (!shared) {
      const stop = new AbortController()
      shared = { reply: this.#enqueue(task, { ...options, signal: stop.signal }), waiting: 0, stop }
      this.#shared.set(key, shared)
    }
    shared.waiting += 1
    const gone = Promise.withResolvers<never>()
    const leave = () => gone.reject(new PaperError('cancelled'))
    signal?.addEventListener('abort', leave, { once: true })
    try {
      return await Promise.race([shared.reply, gone.promise])
    } finally {
      signal?.removeEventListener('abort', leave)
      shared.waiting -= 1
      if (shared.waiting === 0) {
        this.#shared.delete(key)
        shared.stop.abort()
      }
    }
  }

  #enqueue(task: ReadingTask, options: SubmitOptions): Promise<Reply> {
    const { signal } = options
    return new Promise((resolve, reject) => {
      const cancel = () => this.#cancel(job)
      const settle = () => {
        job.settled = true
        signal?.removeEventListener('abort', cancel)
      }
      const job: ReadingJob = {
        id: ++this.#lastId,
        task,
        urgent: options.urgent ?? false,
        fairShareKey: currentFairShareKey(),
        log: AsyncLocalStorage.bind(this.#log),
        began: performance.now(),
        onPage: options.onPage && AsyncLocalStorage.bind(options.onPage),
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
      this.#waiting.push(job)
      this.#dispatch()
    })
  }

  waiting(): number {
    return this.#waiting.length
  }

  pids(): number[] {
    return [...this.#slots].flatMap((slot) => slot.process.child.pid ?? [])
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const job of this.#waiting.splice(0)) job.reject(new PaperError('cancelled'))
    const exits = [...this.#slots].map((slot) => {
      const ended = new Promise<void>((resolve) => slot.process.child.once('exit', () => resolve()))
      this.#kill(slot)
      return ended
    })
    await Promise.all(exits)
  }

  #dispatch(): void {
    for (;;) {
      const job = this.#nextJob()
      const slot = job && this.#freeSlot(job.task.kind === 'tops')
      if (!slot) return
      this.#waiting.splice(this.#waiting.indexOf(job), 1)
      if (this.#waiting.length === 0) this.#served.clear()
      else this.#served.set(job.fairShareKey, ++this.#lastId)
      this.#start(slot, job)
    }
  }

  #nextJob(): ReadingJob | undefined {
    const running = [...this.#slots].flatMap((slot) => slot.job ?? [])
    const long = running.filter(({ task }) => !QUICK.has(task.kind))
    const bulk = long.filter(({ task }) => BULK.has(task.kind)).length
    const last = this.#waiting.find(({ attempts }) => attempts === MAX_ATTEMPTS - 1)
    const isLastRunning = long.some(({ attempts }) => attempts === MAX_ATTEMPTS)
    const mayStart = (job: ReadingJob) => {
      if (QUICK.has(job.task.kind)) return true
      if (job === last) return long.length === 0
      if (BULK.has(job.task.kind) && bulk >= Math.max(1, this.#size - 1)) return false
      return long.length < this.#size && (job.urgent || (!last && !isLastRunning))
    }
    const busy = ({ fairShareKey }: ReadingJob) => running.filter((job) => job.fairShareKey === fairShareKey).length
    const served = ({ fairShareKey }: ReadingJob) => this.#served.get(fairShareKey) ?? 0
    return this.#waiting
      .filter(mayStart)
      .sort((a, b) => Number(b.urgent) - Number(a.urgent) || busy(a) - busy(b) || served(a) - served(b))[0]
  }

  #freeSlot(forNames: boolean): ProcessSlot | null {
    for (const slot of this.#slots) {
      if (slot.job || slot.isKilled) continue
      if (!forNames || !slot.hasLookedAtPages) return slot
      this.#kill(slot)
    }
    return this.#slots.size <= this.#size ? this.#openSlot() : null
  }

  #openSlot(): ProcessSlot {
    const slot: ProcessSlot = {
      process: new ReadingProcess(this.#limits.childMegabytes),
      job: null,
      isKilled: false,
      taskCount: 0,
      hasLookedAtPages: false,
    }
    this.#slots.add(slot)
    slot.process.onMessage((message) => this.#onMessage(slot, message))
    slot.process.child.on('error', (error) => this.#log('paper reader failed to start', { error: error.message }))
    // `close`, not `exit`: it comes after the last output on stderr.
    slot.process.child.once('close', (code, signal) => this.#onExit(slot, code, signal))
    return slot
  }

  #start(slot: ProcessSlot, job: ReadingJob): void {
    clearTimeout(slot.idleTimer)
    slot.job = job
    job.began = performance.now()
    job.attempts += 1
    slot.taskCount += 1
    slot.hasLookedAtPages ||= LOOKING.has(job.task.kind)
    slot.process.setKeepsAlive(true)
    slot.process.send({ id: job.id, task: job.task, limits: this.#limits })
  }

  #onMessage(slot: ProcessSlot, message: FromChild): void {
    const { job } = slot
    if (!job || slot.isKilled || message.id !== job.id) return
    if (message.type === 'page') {
      if (message.done > 0) this.#metrics?.readPages.inc({ task: job.task.kind })
      job.onPage?.(message.done, message.total)
      return
    }
    this.#measure(job, message.type === 'done' ? 'done' : message.code)
    this.#release(slot)
    if (message.discard) this.#kill(slot)
    if (message.type === 'done') job.resolve(message.reply)
    else {
      job.log('paper could not be read', { code: message.code, cause: message.cause })
      job.reject(new PaperError(message.code, message.message, { cause: message.cause }))
    }
    this.#dispatch()
  }

  #measure({ task, began }: ReadingJob, outcome: PaperErrorCode | 'done' | 'killed'): void {
    this.#metrics?.readingSeconds.observe({ task: task.kind, outcome }, secondsSince(began))
  }

  #release(slot: ProcessSlot): void {
    slot.job = null
    slot.process.setKeepsAlive(false)
    slot.idleTimer = setTimeout(() => this.#kill(slot), this.#limits.idleSeconds * 1000)
    slot.idleTimer.unref()
  }

  #kill(slot: ProcessSlot): void {
    slot.isKilled = true
    clearTimeout(slot.idleTimer)
    slot.process.setKeepsAlive(true)
    slot.process.kill()
  }

  #cancel(job: ReadingJob): void {
    if (job.settled) return
    const index = this.#waiting.indexOf(job)
    if (index >= 0) this.#waiting.splice(index, 1)
    for (const slot of this.#slots) if (slot.job === job) this.#kill(slot)
    job.reject(new PaperError('cancelled'))
  }

  /** A task that exceeds a limit in a process of its own would exceed it again. */
  #mayTryAgain({ attempts, urgent }: ReadingJob, { taskCount }: ProcessSlot, limit: PaperErrorCode | null): boolean {
    if (this.#closed || limit === 'cancelled') return false
    if (limit) return attempts < 2 && taskCount > 1
    return attempts < (urgent ? 2 : MAX_ATTEMPTS)
  }

  #onExit(slot: ProcessSlot, code: number | null, signal: string | null): void {
    const { job } = slot
    this.#slots.delete(slot)
    this.#release(slot)
    clearTimeout(slot.idleTimer)
    if (job && !job.settled) {
      const limit = slot.isKilled ? 'cancelled' : exceededLimit(slot.process.stderr)
      this.#measure(job, limit ?? 'killed')
      job.log('paper reader ended', { reason: limit, code, signal, stderr: slot.process.stderr })
      if (this.#mayTryAgain(job, slot, limit)) this.#waiting.push(job)
      else job.reject(limit ? new PaperError(limit) : killedError(signal))
    }
    this.#dispatch()
  }
}

/** The system ends a process with SIGKILL where memory is short; its page is not known to be at fault. */
function killedError(signal: string | null): PaperError {
  const code = signal === 'SIGKILL' ? 'machine_full' : 'damaged'
  return new PaperError(code, undefined, { cause: `ended by ${signal}` })
}
