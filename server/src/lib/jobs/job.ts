import type { z } from 'zod'
import { FileStoreUnreachableError } from '../storage/file-store-error.ts'

/** A name, a payload of ids and a function that may run twice. */
export interface Job<P extends z.ZodType = z.ZodType> {
  name: string
  payload: P
  // Methods, not function properties: so a job with its own payload type is assignable to `Job`. The queue parses before it calls.
  /** `signal`: it is to stop, as its process does or its lease is lost. `claim`: unique to this claim of the job, a fencing token. */
  run(payload: z.output<P>, signal: AbortSignal, claim: string): Promise<void>
  /** Called once when the last attempt has failed. */
  onFailed?(payload: z.output<P>, error: unknown): Promise<void>
  /** How often it is tried before it counts as failed. */
  attempts: number
  /** The worker pool it runs in: one of those the queue was made with. */
  pool: string
}

/** Thrown by a job that can do nothing for now: it is deferred, which does not count as a failure. */
export class DeferJob extends Error {
  override name = 'DeferJob'
  /** In ms. */
  readonly delayMs: number
  constructor(delayMs: number, message: string, options?: ErrorOptions) {
    super(message, options)
    this.delayMs = delayMs
  }
}

const UNREACHABLE_RETRY_MS = 10_000

/** Null where the job has failed. While the store of papers does not answer, nothing is wrong with the job. */
export function asDeferral(error: unknown): DeferJob | null {
  if (error instanceof DeferJob) return error
  if (!(error instanceof FileStoreUnreachableError)) return null
  return new DeferJob(UNREACHABLE_RETRY_MS, error.message, { cause: error })
}

export function defineJob<P extends z.ZodType>(job: Job<P>): Job<P> {
  return job
}

export interface NewJob {
  key: string
  group: string
  payload: unknown
  /** Jobs with the same key share a limit where their pool has one per key. The group where nothing is said. */
  fairShareKey?: string
}
