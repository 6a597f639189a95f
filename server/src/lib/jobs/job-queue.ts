import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { type Clock, systemClock } from '../clock.ts'
import { exponentialBackoff } from '../exponential-backoff.ts'
import type { Log } from '../log.ts'
import { type Metrics, secondsSince } from '../metrics/metrics.ts'
import { runForRequest } from '../request-context.ts'
import { type CoalescedRuns, coalesceRuns } from './coalesce.ts'
import { FailedJobModel, type FailedJobRow, JobModel } from './job.model.ts'
import { asDeferral, type Job, type NewJob } from './job.ts'
import {
  type ClaimedJobRow,
  claimJobRow,
  deferJobRow,
  finishJobRow,
  hasDueJobs,
  insertJobRows,
  releaseDeadLeases,
  releaseExpiredLeases,
  renewLease,
  retryJobRow,
  unclaimJobRow,
} from './job-rows.ts'
import { type PoolLimits, saturatedKeys } from './pool-limits.ts'

const POLL_MS = 1_000
/** Long enough for one paper to be read; renewed while the work goes on. */
const LEASE_MS = 30_000

type QueueMetrics = Pick<Metrics, 'jobSeconds'>

/** How an attempt at a job ended. `aborted`: left to the next process, or cancelled. */
type JobOutcome = 'done' | 'aborted' | 'deferred' | 'retried' | 'failed'

interface JobQueueOptions {
  pools: Record<string, PoolLimits>
  log: Log
  metrics: QueueMetrics
  /** How often jobs are looked for that became due, or that another process added, in ms. */
  pollMs?: number | undefined
  clock?: Clock
  /** How long a claim lasts that is not renewed, in ms. */
  leaseMs?: number
}

interface RunningJob {
  group: string
  fairShareKey: string
  pool: string
  abort: AbortController
  done: Promise<void>
}

/** A job that was claimed this often and never finished takes its process down with it. */
const MAX_CLAIMS = 20

/**
 * The job queue. Jobs are stored in the database, so they survive a restart; the process that claims one first runs it.
 * The jobs of a process that dies are released when their lease ends, or at once when a new process on the same machine
 * sees that it is gone.
 */
export class JobQueue {
  readonly #jobs = new Map<string, Job>()
  readonly #running = new Map<string, RunningJob>()
  readonly #pools: Map<string, { limits: PoolLimits; claimLoop: CoalescedRuns }>
  readonly #log: Log
  readonly #metrics: QueueMetrics
  readonly #pollMs: number
  readonly #clock: Clock
  readonly #leaseMs: number
  readonly #pollLoop = coalesceRuns(() => this.#poll())
  #timer: NodeJS.Timeout | undefined
  #accepting = false
  #searchCount = 0
  /** For a pool, the keys that were at their limit when nothing else was claimable, and in which search. */
  readonly #nothingClaimableState = new Map<string, string>()

  constructor({ pools, log, metrics, pollMs = POLL_MS, clock = systemClock, leaseMs = LEASE_MS }: JobQueueOptions) {
    this.#log = log
    this.#metrics = metrics
    this.#pollMs = pollMs
    this.#clock = clock
    this.#leaseMs = leaseMs
    // Each pool has a loop of its own, so that a free slot in one costs no queries for the others.
    this.#pools = new Map(
      Object.entries(pools).map(([pool, limits]) => [
        pool,
        { limits, claimLoop: coalesceRuns(() => this.#claimForPool(pool, limits)) },
      ]),
    )
  }

  register(job: Job): void {
    if (!this.#pools.has(job.pool))
      throw new Error(`job ${job.name} wants a pool this queue does not have: ${job.pool}`)
    this.#jobs.set(job.name, job)
    // Prometheus sees an increase only of what it has seen before: the first failure must not be missed.
    this.#metrics.jobSeconds.zero({ job_name: job.name, outcome: 'failed' })
  }

  async add(job: Pick<Job, 'name' | 'payload'>, rows: NewJob[]): Promise<void> {
    await this.#insert(job, rows, false)
  }

  /** Adds jobs and runs them soon: one that was deferred is so no longer, and one that runs runs once more afterwards. */
  async trigger(job: Pick<Job, 'name' | 'payload'>, rows: NewJob[]): Promise<void> {
    await this.#insert(job, rows, true)
  }

  async #insert(job: Pick<Job, 'name' | 'payload'>, rows: NewJob[], trigger: boolean): Promise<void> {
    if (rows.length === 0) return
    await insertJobRows(job, rows, { now: this.#clock.now(), trigger })
    const pool = this.#jobs.get(job.name)?.pool
    if (pool) this.#search([pool])
  }

  /** Deletes queued jobs and stops those that run here. Jobs in other processes check for themselves whether they are still wanted. */
  async cancel(group: string): Promise<void> {
    await JobModel.deleteMany({ group })
    const mine = [...this.#running.values()].filter((job) => job.group === group)
    for (const job of mine) job.abort.abort()
    await Promise.all(mine.map((job) => job.done))
  }

  /** Deletes queued jobs and waits for those that run here. */
  async drain(group: string): Promise<void> {
    await JobModel.deleteMany({ group, status: 'queued' })
    await Promise.all([...this.#running.values()].filter((job) => job.group === group).map((job) => job.done))
  }

  /** Runs no queued job of a group before `until`. */
  async defer(group: string, until: Date): Promise<void> {
    await JobModel.updateMany({ group, status: 'queued', run_at: { $lt: until } }, { $set: { run_at: until } })
  }

  /** Runs a group's queued jobs as soon as there are free slots, however long they were deferred. */
  async expedite(group: string): Promise<void> {
    const now = this.#clock.now()
    await JobModel.updateMany({ group, status: 'queued', run_at: { $gt: now } }, { $set: { run_at: now } })
    this.#search(this.#pools.keys())
  }

  /** Whether a group has jobs that have not ended, those of other processes too. */
  async hasJobs(group: string): Promise<boolean> {
    return (await JobModel.exists({ group })) !== null
  }

  /** Those of other processes too. */
  async countJobs(): Promise<{ queued: number; running: number }> {
    const [queued, running] = await Promise.all(
      (['queued', 'running'] as const).map((status) => JobModel.countDocuments({ status })),
    )
    return { queued: queued ?? 0, running: running ?? 0 }
  }

  /** Newest first, at most 100. */
  listFailedSince(moment: Date): Promise<FailedJobRow[]> {
    return FailedJobModel.find({ at: { $gte: moment } }, { _id: 0 })
      .sort({ at: -1 })
      .limit(100)
      .lean()
  }

  async start(): Promise<void> {
    this.#accepting = true
    const left = await releaseDeadLeases()
    if (left > 0) this.#log.info({ jobs: left }, 'reclaiming jobs left by a stopped process')
    this.#timer = setInterval(this.#pollLoop.trigger, this.#pollMs)
    this.#pollLoop.trigger()
  }

  /** Claims nothing more, aborts what runs and leaves it queued for the next process. */
  async stop(): Promise<void> {
    this.#accepting = false
    clearInterval(this.#timer)
    await this.#pollLoop.idle()
    await Promise.all([...this.#pools.values()].map(({ claimLoop }) => claimLoop.idle()))
    for (const job of this.#running.values()) job.abort.abort()
    await Promise.all([...this.#running.values()].map((job) => job.done))
  }

  /** Costs two queries while nothing is due, however many pools there are. */
  async #poll(): Promise<void> {
    try {
      const now = this.#clock.now()
      await releaseExpiredLeases({ names: [...this.#jobs.keys()], mine: [...this.#running.keys()], now })
      if (await hasDueJobs(now)) this.#search(this.#pools.keys())
    } catch (error) {
      this.#log.error({ err: error }, 'the job queue could not be polled')
    }
  }

  #search(pools: Iterable<string>): void {
    if (!this.#accepting) return
    this.#searchCount++
    // The loops claim for everybody, not for the request that happened to wake them.
    runForRequest(undefined, () => {
      for (const pool of pools) this.#pools.get(pool)?.claimLoop.trigger()
    })
  }

  async #claimForPool(pool: string, limits: PoolLimits): Promise<void> {
    try {
      while (this.#accepting && (await this.#claimNext(pool, limits)));
    } catch (error) {
      this.#log.error({ err: error, pool }, 'the job queue could not be read')
    }
  }

  /** @returns whether there was one to claim */
  async #claimNext(pool: string, limits: PoolLimits): Promise<boolean> {
    const names = [...this.#jobs.values()].filter((job) => job.pool === pool).map(({ name }) => name)
    const running = [...this.#running.values()].filter((job) => job.pool === pool)
    const isFull = running.length >= (await limits.max())
    if (names.length === 0 || (isFull && !limits.minPerKey)) return false
    const saturated = await saturatedKeys(running, isFull, limits)
    const state = `${this.#searchCount} ${saturated.join()}`
    // Else a whole class that waits for slots would be searched again after each of its papers.
    if (saturated.length > 0 && state === this.#nothingClaimableState.get(pool)) return false
    const row = await claimJobRow({
      names,
      saturatedKeys: saturated,
      owner: `${hostname()}/${process.pid}/${randomUUID()}`,
      now: this.#clock.now(),
      leaseMs: this.#leaseMs,
    })
    if (row) this.#startJob(row, pool)
    else this.#nothingClaimableState.set(pool, state)
    return row !== null
  }

  #startJob(row: ClaimedJobRow, pool: string): void {
    const abort = new AbortController()
    const done = runForRequest(row.request_id, () => this.#runJob(row, abort))
      .catch((error: unknown) => this.#log.error({ err: error, job: row._id }, 'job could not be finished'))
      .finally(() => {
        this.#running.delete(row._id)
        if (this.#accepting) runForRequest(undefined, () => this.#pools.get(pool)?.claimLoop.trigger())
      })
    this.#running.set(row._id, { group: row.group, fairShareKey: row.share ?? row.group, pool, abort, done })
  }

  async #runJob(row: ClaimedJobRow, abort: AbortController): Promise<void> {
    const job = this.#jobs.get(row.name)
    if (!job) throw new Error(`no job is called ${row.name}`)
    const renewals = setInterval(() => void this.#renew(row, abort), this.#leaseMs / 3)
    const began = performance.now()
    let outcome: JobOutcome = 'done'
    try {
      if (row.claims > MAX_CLAIMS) throw new Error(`claimed ${MAX_CLAIMS} times and never finished`)
      await job.run(job.payload.parse(row.payload), abort.signal, row.owner)
      await finishJobRow(row, this.#clock.now())
    } catch (error) {
      // Aborted on purpose: it waits for the next process unless it was cancelled.
      if (abort.signal.aborted) {
        outcome = 'aborted'
        await unclaimJobRow(row)
      } else {
        const deferral = asDeferral(error)
        if (deferral) {
          outcome = 'deferred'
          await deferJobRow(row, deferral, this.#clock.now())
        } else outcome = await this.#failed(job, row, error)
      }
    } finally {
      clearInterval(renewals)
      this.#metrics.jobSeconds.observe({ job_name: job.name, outcome }, secondsSince(began))
    }
  }

  /** A job that has lost its lease is aborted: another process may be running it. */
  async #renew(row: ClaimedJobRow, abort: AbortController): Promise<void> {
    try {
      const until = new Date(this.#clock.now().getTime() + this.#leaseMs)
      if (!(await renewLease(row, until))) abort.abort()
    } catch (error) {
      this.#log.warn({ err: error, job: row._id }, 'job lease could not be renewed')
    }
  }

  async #failed(job: Job, row: ClaimedJobRow, error: unknown): Promise<JobOutcome> {
    const message = error instanceof Error ? error.message : String(error)
    const attempts = row.attempts + 1
    const now = this.#clock.now()
    if (attempts < job.attempts && row.claims <= MAX_CLAIMS) {
      this.#log.warn({ err: error, job: row._id }, 'job failed, will be retried')
      const delayMs = exponentialBackoff(attempts, { initialMs: 1000 })
      await retryJobRow(row, attempts, message, new Date(now.getTime() + delayMs))
      return 'retried'
    }
    this.#log.error({ err: error, job: row._id }, 'job failed permanently')
    const payload = job.payload.safeParse(row.payload)
    if (payload.success) await job.onFailed?.(payload.data, error)
    await FailedJobModel.create({ name: row.name, error: message, at: now })
    await finishJobRow(row, now)
    return 'failed'
  }
}
