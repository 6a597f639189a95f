import type { z } from 'zod'
import type { Log } from '../log.ts'
import { FileStoreUnreachableError } from '../storage/file-store-error.ts'

/** `run` may be called twice for one payload. */
export interface Job<P extends z.ZodType = z.ZodType> {
  name: string
  payload: P
  // Methods, not function properties, so that any job is assignable to `Job`; the queue parses payloads first.
  /** `signal` aborts when the process stops or the lease is lost. `claim` is a fencing token. */
  run(payload: z.output<P>, signal: AbortSignal, claim: string): Promise<void>
  onFailed?(payload: z.output<P>, error: unknown): Promise<void>
  attempts: number
  pool: string
}

/** The job is deferred, which does not count as a failure. */
export class DeferJob extends Error {
  override name = 'DeferJob'
  readonly delayMs: number
  constructor(delayMs: number, message: string, options?: ErrorOptions) {
    super(message, options)
    this.delayMs = delayMs
  }
}

const UNREACHABLE_RETRY_MS = 10_000

/** Null for a failure. An unreachable store of papers is not the job's fault. */
export function asDeferral(error: unknown): DeferJob | null {
  if (error instanceof DeferJob) return error
  if (!(error instanceof FileStoreUnreachableError)) return null
  return new DeferJob(UNREACHABLE_RETRY_MS, error.message, { cause: error })
}

const usual = { attempts: 3, pool: 'io' }

export function defineJob<P extends z.ZodType>(job: Omit<Job<P>, keyof typeof usual> & Partial<typeof usual>): Job<P> {
  return { ...usual, ...job }
}

export interface NewJob {
  key: string
  group: string
  payload: unknown
  fairShareKey?: string
}

export interface BackgroundWork {
  jobs: Job[]
  /** Continues an ended process's work, at start and after each death. Must spare others' work, or be idempotent. */
  resume?(): Promise<void>
  repeat?(): Promise<void>
  stop?(): Promise<void>
}

interface RepeatOptions {
  log: Log
  failure: string
  /** Also at the start, before `repeat` returns. */
  atStart?: boolean
}

/** Never runs twice at a time. `stop` waits for it, so long work should end early when its signal aborts. */
export function repeatedWork(
  intervalMs: number,
  work: (signal: AbortSignal) => Promise<unknown>,
  { log, failure, atStart = true }: RepeatOptions,
): Required<Pick<BackgroundWork, 'repeat' | 'stop'>> {
  let timer: NodeJS.Timeout | undefined
  let underWay: Promise<unknown> | null = null
  const stopping = new AbortController()
  const run = () => {
    underWay ??= work(stopping.signal)
      .catch((error: unknown) => log.error({ err: error }, failure))
      .finally(() => {
        underWay = null
      })
    return underWay
  }
  return {
    async repeat() {
      if (atStart) await run()
      timer = setInterval(run, intervalMs)
    },
    async stop() {
      clearInterval(timer)
      stopping.abort()
      await underWay
    },
  }
}
