import { setTimeout as after } from 'node:timers/promises'
import { type Clock, systemClock } from '../clock.ts'
import type { Log } from '../log.ts'
import { runForRequest } from '../request-context.ts'
import { type CoalescedRuns, coalesceRuns } from './coalesce.ts'
import { FailedJobModel, type FailedJobRow, JobModel } from './job.model.ts'
import type { Job, NewJob } from './job.ts'
import {
  type ClaimedJobRow,
  claimJobRow,
  findOwners,
  findRunningKeys,
  hasDueJobs,
  insertJobRows,
  newOwner,
  releaseDeadLeases,
  releaseExpiredLeases,
} from './job-rows.ts'
import { type PoolLimits, saturatedKeys } from './pool-limits.ts'
import { type JobMetrics, runClaimedJob } from './run-claimed-job.ts'

const POLL_MS = 1_000
const DRAIN_POLL_MS = 250
/** Longer than an LLM may take for an answer. */
const DRAIN_MS = 5 * 60_000
/** Long enough for one paper to be read; renewed while the work goes on. */
const LEASE_MS = 30_000

interface JobQueueOptions {
  pools: Record<string, PoolLimits>
  log: Log
  metrics: JobMetrics
  /** How often jobs are looked for that became due, or that another process added, in ms. */
  pollMs?: number | undefined
  clock?: Clock
  /** How long a claim lasts that is not renewed, in ms. */
  leaseMs?: number
}

interface RunningJob {
  id: string
  group: string
  fairShareKey: string
  pool: string
  abort: AbortController
  done: Promise<void>
}

/**
 * The job queue. Jobs are stored in the database, so they survive a restart; the process that claims one first runs it.
 * The jobs of a process that dies are released when their lease ends, or at once when a new process on the same machine
 * sees that it is gone.
 */
export class JobQueue {
  readonly #jobs = new Map<string, Job>()
  /** By their claim: a job that was cancelled may still run when it is claimed anew. */
  readonly #running = new Map<string, RunningJob>()
  readonly #pools: Map<string, { limits: PoolLimits; claimLoop: CoalescedRuns }>
  readonly #log: Log
  readonly #metrics: JobMetrics
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

  /** Deletes queued jobs and stops those that run here. Other processes stop theirs when they next poll; they may store something until then. */
  async cancel(group: string): Promise<void> {
    await JobModel.deleteMany({ group })
    const mine = [...this.#running.values()].filter((job) => job.group === group)
    for (const job of mine) job.abort.abort()
    await Promise.all(mine.map((job) => job.done))
  }

  /**
   * Deletes queued jobs and waits for those that run, in other processes too for some minutes; what a process that dies was at is not done.
   * Ends early where this process stops.
   */
  async drain(group: string): Promise<void> {
    const until = performance.now() + DRAIN_MS
    do {
      await JobModel.deleteMany({ group, status: 'queued' })
      await Promise.all([...this.#running.values()].filter((job) => job.group === group).map((job) => job.done))
      if (!(await this.hasJobs(group))) return
      await after(DRAIN_POLL_MS)
    } while (this.#accepting && performance.now() < until)
  }

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
    await this.releaseDead()
    this.#timer = setInterval(this.#pollLoop.trigger, this.#pollMs)
    this.#pollLoop.trigger()
  }

  /** Puts jobs back into the queue that processes of this machine left as they died; those of other machines are when their leases end. */
  async releaseDead(): Promise<void> {
    const left = await releaseDeadLeases()
    if (left === 0) return
    this.#log.info({ jobs: left }, 'reclaiming jobs left by a stopped process')
    this.#search(this.#pools.keys())
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

  /** Costs two queries while nothing runs or is due, however many pools there are. */
  async #poll(): Promise<void> {
    try {
      await this.#abortLost()
      const now = this.#clock.now()
      await releaseExpiredLeases({
        names: [...this.#jobs.keys()],
        mine: [...this.#running.values()].map(({ id }) => id),
        now,
      })
      if (await hasDueJobs(now)) this.#search(this.#pools.keys())
    } catch (error) {
      this.#log.error({ err: error }, 'the job queue could not be polled')
    }
  }

  /** Stops what another process has cancelled, or claimed because our lease was over. */
  async #abortLost(): Promise<void> {
    const mine = [...this.#running]
    if (mine.length === 0) return
    const owners = await findOwners(mine.map(([, { id }]) => id))
    for (const [owner, job] of mine) if (owners.get(job.id) !== owner) job.abort.abort()
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
    const counted = limits.acrossProcesses ? await findRunningKeys(names) : running
    const saturated = await saturatedKeys(counted, isFull, limits)
    const state = `${this.#searchCount} ${saturated.join()}`
    // Else a whole class that waits for slots would be searched again after each of its papers.
    if (saturated.length > 0 && state === this.#nothingClaimableState.get(pool)) return false
    const row = await claimJobRow({
      names,
      saturatedKeys: saturated,
      owner: newOwner(),
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
        this.#running.delete(row.owner)
        if (this.#accepting) runForRequest(undefined, () => this.#pools.get(pool)?.claimLoop.trigger())
      })
    const { owner, group, share = group } = row
    this.#running.set(owner, { id: row._id, group, fairShareKey: share, pool, abort, done })
  }

  async #runJob(row: ClaimedJobRow, abort: AbortController): Promise<void> {
    const job = this.#jobs.get(row.name)
    if (!job) throw new Error(`no job is called ${row.name}`)
    const [log, metrics, clock, leaseMs] = [this.#log, this.#metrics, this.#clock, this.#leaseMs]
    await runClaimedJob(job, row, { abort, log, metrics, clock, leaseMs })
  }
}
