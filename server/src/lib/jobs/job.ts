import type { z } from 'zod'
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
