import type { z } from 'zod'

/** A name, a payload of ids and a function that may run twice. */
export interface Job<P extends z.ZodType = z.ZodType> {
  name: string
  payload: P
  // Methods, not function properties: only so is a job with a payload of its own a `Job` like any other. The queue parses before it calls.
  run(payload: z.output<P>, signal: AbortSignal): Promise<void>
  /** Called once when the last attempt has failed. */
  onFailed?(payload: z.output<P>, error: unknown): Promise<void>
  /** How often it is tried before it is given up. */
  attempts: number
  /** Which places it is done in; `work` when it says nothing. */
  pool?: JobPool
}

/**
 * What waits more than it works is done in places of its own, beside the heavy work: a mail server or a model that does not answer
 * must not keep papers from being read, nor a class being graded a mail from being sent. Calls to an LMS have places apart from mails.
 */
export type JobPool = 'work' | 'aside' | 'lms' | 'model'

/** Thrown by a job that can do nothing for now: it is put off, which counts as no failure. */
export class DeferJob extends Error {
  override name = 'TryLater'
  /** How long to put it off, in ms. */
  readonly delayMs: number
  constructor(waitMs: number, message: string, options?: ErrorOptions) {
    super(message, options)
    this.delayMs = waitMs
  }
}

export function defineJob<P extends z.ZodType>(job: Job<P>): Job<P> {
  return job
}

export interface NewJob {
  key: string
  group: string
  payload: unknown
  /** Those whose jobs in a lane of shares may fill so many places and no more: a course, an LMS. The group where nothing is said. */
  fairShareKey?: string
}
