import { AsyncLocalStorage } from 'node:async_hooks'
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type Metrics, secondsSince } from '../../lib/metrics/metrics.ts'
import { PaperError, type PaperErrorCode } from '../paper-error.ts'
import type { PaperLimits } from '../paper-limits.ts'
import { outOfMemoryMarker } from './memory-watchdog.ts'
import type { FromChild, ReadingReply, ReadingTask, ToChild } from './reading-messages.ts'

export interface SubmitOptions {
  signal?: AbortSignal | undefined
  onPage?: ((done: number, total: number) => void) | undefined
  /** A user is waiting: goes before other tasks, behind earlier urgent ones. */
  urgent?: boolean
}

export type PoolMetrics = Pick<Metrics, 'readingSeconds' | 'readPages'>

export type PoolLog = (message: string, details: Record<string, unknown>) => void

interface ReadingJob {
  id: number
  task: ReadingTask
  urgent: boolean
  /** Called, like `onPage`, under the id of the request that is read for. */
  log: PoolLog
  /** `performance.now()` when a process got it. */
  began: number
  onPage: ((done: number, total: number) => void) | undefined
  attempts: number
  settled: boolean
  resolve(reply: ReadingReply[keyof ReadingReply]): void
  reject(error: Error): void
}

/** Their WASM memory never shrinks, and Tesseract on top of it would exceed the process's limit. */
const LOOKING: ReadonlySet<ReadingTask['kind']> = new Set(['scan', 'pageCodes'])

/** Long, as the machine may be busy. */
const START_SECONDS = 60

interface ProcessSlot {
  process: ReadingProcess
  hasStarted: boolean
  job: ReadingJob | null
  /** Its task is rejected with it. */
  killReason: PaperError | null
  /** Memory of earlier tasks may not have been freed. */
  taskCount: number
  hasLookedAtPages: boolean
  stepTimer?: NodeJS.Timeout | undefined
  paperTimer?: NodeJS.Timeout | undefined
  idleTimer?: NodeJS.Timeout | undefined
}

/** Each child runs one task at a time and is killed if it exceeds the limits. */
export class ReadingPool {
  readonly #size: number
  readonly #limits: PaperLimits
  readonly #log: PoolLog
  readonly #metrics: PoolMetrics | null
  readonly #slots = new Set<ProcessSlot>()
  readonly #waiting: ReadingJob[] = []
  #lastId = 0
  #closed = false

  constructor(size: number, limits: PaperLimits, log: PoolLog, metrics: PoolMetrics | null = null) {
    this.#size = size
    this.#limits = limits
    this.#log = log
    this.#metrics = metrics
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
        urgent: options.urgent ?? false,
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
      if (job.urgent) this.#waiting.splice(this.#waiting.findLastIndex(({ urgent }) => urgent) + 1, 0, job)
      else this.#waiting.push(job)
      this.#dispatch()
    })
  }

  waiting(): number {
    return this.#waiting.length
  }

  pids(): number[] {
    return [...this.#slots].flatMap((slot) => slot.process.child.pid ?? [])
  }

  /** Cancels queued and running tasks. */
  async close(): Promise<void> {
    this.#closed = true
    for (const job of this.#waiting.splice(0)) job.reject(new PaperError('cancelled'))
    const exits = [...this.#slots].map((slot) => {
      const ended = new Promise<void>((resolve) => slot.process.child.once('exit', () => resolve()))
      this.#kill(slot, new PaperError('cancelled'))
      return ended
    })
    await Promise.all(exits)
  }

  #dispatch(): void {
    while (this.#waiting.length > 0) {
      const slot = this.#freeSlot(this.#waiting[0]?.task.kind === 'tops')
      if (!slot) return
      const job = this.#waiting.shift()
      if (job) this.#start(slot, job)
    }
  }

  /** @param forNames ends free processes that have looked at pages */
  #freeSlot(forNames: boolean): ProcessSlot | null {
    for (const slot of this.#slots) {
      if (slot.job || slot.killReason) continue
      if (!forNames || !slot.hasLookedAtPages) return slot
      this.#kill(slot, new PaperError('cancelled'))
    }
    return this.#slots.size < this.#size ? this.#openSlot() : null
  }

  #openSlot(): ProcessSlot {
    const slot: ProcessSlot = {
      process: new ReadingProcess(this.#limits.childMegabytes),
      hasStarted: false,
      job: null,
      killReason: null,
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
    const tooLong = () => this.#kill(slot, new PaperError('too_long'))
    slot.paperTimer = setTimeout(tooLong, this.#limits.secondsPerPaper * 1000)
    this.#startStep(slot)
    slot.process.send({ id: job.id, task: job.task, limits: this.#limits })
  }

  #startStep(slot: ProcessSlot): void {
    clearTimeout(slot.stepTimer)
    const tooLong = () => this.#kill(slot, new PaperError('too_long'))
    const seconds = slot.hasStarted ? this.#limits.secondsPerPage : START_SECONDS
    slot.stepTimer = setTimeout(tooLong, seconds * 1000)
  }

  #onMessage(slot: ProcessSlot, message: FromChild): void {
    const { job } = slot
    slot.hasStarted = true
    if (!job || slot.killReason || message.id !== job.id) return
    if (message.type === 'step' || message.type === 'page') {
      this.#startStep(slot)
      if (message.type === 'page') {
        this.#metrics?.readPages.inc({ task: job.task.kind })
        job.onPage?.(message.done, message.total)
      }
      return
    }
    this.#measure(job, message.type === 'done' ? 'done' : message.code)
    this.#release(slot)
    if (message.discard) this.#kill(slot, new PaperError('cancelled'))
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
    clearTimeout(slot.stepTimer)
    clearTimeout(slot.paperTimer)
    slot.process.setKeepsAlive(false)
    slot.idleTimer = setTimeout(() => this.#kill(slot, new PaperError('cancelled')), this.#limits.idleSeconds * 1000)
    slot.idleTimer.unref()
  }

  #kill(slot: ProcessSlot, reason: PaperError): void {
    slot.killReason ??= reason
    clearTimeout(slot.idleTimer)
    // Queued tasks start when it has ended, so it must keep the server alive until then.
    slot.process.setKeepsAlive(true)
    slot.process.kill()
  }

  #cancel(job: ReadingJob): void {
    if (job.settled) return
    const index = this.#waiting.indexOf(job)
    if (index >= 0) this.#waiting.splice(index, 1)
    for (const slot of this.#slots) if (slot.job === job) this.#kill(slot, new PaperError('cancelled'))
    job.reject(new PaperError('cancelled'))
  }

  #onExit(slot: ProcessSlot, code: number | null, signal: string | null): void {
    const { job } = slot
    this.#slots.delete(slot)
    this.#release(slot)
    clearTimeout(slot.idleTimer)
    if (job && !job.settled) {
      const reason = slot.killReason ?? outOfMemoryError(slot.process.stderr)
      this.#measure(job, reason?.code ?? 'killed')
      job.log('paper reader ended', { reason: reason?.code, code, signal, stderr: slot.process.stderr })
      // Killed from outside, or out of memory because of earlier papers: not this paper's fault.
      const retryable = !reason || (reason.code === 'too_much_memory' && slot.taskCount > 1)
      if (retryable && job.attempts < 2 && !this.#closed) this.#waiting.unshift(job)
      else job.reject(reason ?? new PaperError('damaged'))
    }
    this.#dispatch()
  }
}

function outOfMemoryError(stderr: string): PaperError | null {
  const out = stderr.includes(outOfMemoryMarker) || /heap out of memory|allocation failed/i.test(stderr)
  return out ? new PaperError('too_much_memory') : null
}

class ReadingProcess {
  readonly child: ChildProcess
  stderr = ''

  constructor(childMegabytes: number) {
    this.child = fork(fileURLToPath(new URL('./reading-child.ts', import.meta.url)), [], {
      // Sends buffers (page images) as binary.
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      // A hostile PDF that takes over the parser finds no secrets and cannot write or execute. OCR needs WebAssembly
      // and threads, sharp needs add-ons. Two glibc arenas for all threads keep a tenth less memory.
      env: {
        PATH: process.env.PATH,
        TZ: process.env.TZ,
        NODE_ENV: process.env.NODE_ENV,
        MALLOC_ARENA_MAX: process.env.MALLOC_ARENA_MAX ?? '2',
      },
      execArgv: [
        '--permission',
        '--allow-fs-read=*',
        '--allow-worker',
        '--allow-addons',
        '--allow-wasi',
        '--no-warnings',
        '--single-threaded-gc',
        `--max-old-space-size=${Math.round(childMegabytes * 0.7)}`,
      ],
    })
    this.child.stderr?.on('data', (chunk: Buffer) => {
      this.stderr = (this.stderr + chunk.toString()).slice(-2000)
    })
  }

  send(message: ToChild): void {
    // If the child has died, `exit` reports it.
    this.child.send(message, () => {})
  }

  onMessage(listener: (message: FromChild) => void): void {
    this.child.on('message', listener)
  }

  /** Only a busy child holds the server process open. */
  setKeepsAlive(busy: boolean): void {
    const held = [this.child, this.child.channel, this.child.stderr].filter((one) => hasRef(one))
    for (const one of held) busy ? one.ref() : one.unref()
  }

  kill(): void {
    this.child.kill('SIGKILL')
  }
}

function hasRef(value: unknown): value is { ref(): void; unref(): void } {
  return typeof value === 'object' && value !== null && 'ref' in value && 'unref' in value
}
