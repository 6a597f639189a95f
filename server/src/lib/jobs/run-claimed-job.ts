import type { Clock } from '../clock.ts'
import { exponentialBackoff } from '../exponential-backoff.ts'
import type { Log } from '../log.ts'
import { type Metrics, secondsSince } from '../metrics/metrics.ts'
import { FailedJobModel } from './job.model.ts'
import { asDeferral, type Job } from './job.ts'
import {
  type ClaimedJobRow,
  deferJobRow,
  finishJobRow,
  leaveJobRow,
  renewLease,
  retryJobRow,
  unclaimJobRow,
} from './job-rows.ts'

export type JobMetrics = Pick<Metrics, 'jobSeconds'>

/** `aborted`: left to the next process, or cancelled. */
type JobOutcome = 'done' | 'aborted' | 'deferred' | 'retried' | 'failed'
/** A job claimed this often without ending takes its process down with it. */
const MAX_CLAIMS = 20
/** Between attempts of a job that no worker could read yet. */
const UNREADABLE_RETRY_MS = { first: 60_000, longest: 15 * 60_000 }
/** Longer than any upgrade takes. */
const UNREADABLE_FOR_MS = 7 * 24 * 60 * 60_000

/** A newer version queued it; its workers can read it. */
class UnreadablePayload extends Error {
  override name = 'UnreadablePayload'
}

interface Attempt {
  abort: AbortController
  log: Log
  metrics: JobMetrics
  clock: Clock
  leaseMs: number
}

/** Renews the lease meanwhile, and stores the outcome. */
export async function runClaimedJob(job: Job, row: ClaimedJobRow, attempt: Attempt): Promise<JobOutcome> {
  const { abort, metrics, clock, leaseMs } = attempt
  const renewals = setInterval(() => void renew(row, attempt), leaseMs / 3)
  const began = performance.now()
  let outcome: JobOutcome = 'done'
  try {
    if (row.claims > MAX_CLAIMS) throw new Error(`claimed ${MAX_CLAIMS} times and never finished`)
    const payload = job.payload.safeParse(row.payload)
    if (!payload.success)
      throw new UnreadablePayload('this version cannot read what the job is about', { cause: payload.error })
    await job.run(payload.data, abort.signal, row.owner)
    await finishJobRow(row, clock.now())
  } catch (error) {
    if (abort.signal.aborted) {
      outcome = 'aborted'
      await unclaimJobRow(row)
    } else {
      const deferral = asDeferral(error)
      if (deferral) {
        outcome = 'deferred'
        await deferJobRow(row, deferral, clock.now())
      } else outcome = await storeFailure(job, row, error, attempt)
    }
  } finally {
    clearInterval(renewals)
    metrics.jobSeconds.observe({ job_name: job.name, outcome }, secondsSince(began))
  }
  return outcome
}

/** Without its lease another process may be running it. */
async function renew(row: ClaimedJobRow, { abort, log, clock, leaseMs }: Attempt): Promise<void> {
  try {
    const until = new Date(clock.now().getTime() + leaseMs)
    if (!(await renewLease(row, until))) abort.abort()
  } catch (error) {
    log.warn({ err: error, job: row._id }, 'job lease could not be renewed')
  }
}

async function storeFailure(
  job: Job,
  row: ClaimedJobRow,
  error: unknown,
  { log, clock }: Attempt,
): Promise<'retried' | 'failed'> {
  const message = error instanceof Error ? error.message : String(error)
  const attempts = row.attempts + 1
  const now = clock.now()
  if (error instanceof UnreadablePayload) {
    const since = row.unreadable_since ?? now
    const waitedMs = now.getTime() - since.getTime()
    if (waitedMs < UNREADABLE_FOR_MS) {
      // Logged once: every old worker tries it repeatedly.
      if (!row.unreadable_since) log.warn({ err: error, job: row._id }, 'job is left to another version')
      const { first, longest } = UNREADABLE_RETRY_MS
      const delayMs = Math.min(longest, Math.max(first, waitedMs / 4))
      await leaveJobRow(row, since, message, new Date(now.getTime() + delayMs))
      return 'retried'
    }
  } else if (attempts < job.attempts && row.claims <= MAX_CLAIMS) {
    log.warn({ err: error, job: row._id }, 'job failed, will be retried')
    const delayMs = exponentialBackoff(attempts, { initialMs: 1000 })
    await retryJobRow(row, attempts, message, new Date(now.getTime() + delayMs))
    return 'retried'
  }
  log.error({ err: error, job: row._id }, 'job failed permanently')
  const payload = job.payload.safeParse(row.payload)
  if (payload.success) await job.onFailed?.(payload.data, error)
  await FailedJobModel.create({ name: row.name, error: message, at: now })
  await finishJobRow(row, now)
  return 'failed'
}
