import { setTimeout as after } from 'node:timers/promises'
import { type Clock, systemClock } from '../clock.ts'
import type { Log } from '../log.ts'
import { runForRequest } from '../request-context.ts'
import { FailedJobModel, type FailedJobRow, JobModel } from './job.model.ts'
import type { Job, NewJob } from './job.ts'
import {
  type ClaimedJobRow,
  claimJobRow,
  findOwners,
  findRunningKeys,
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
/** Long enough to read one paper; renewed while the work goes on. */
const LEASE_MS = 30_000

interface JobQueueOptions {
  pools: Record<string, PoolLimits>
  log: Log
  metrics: JobMetrics
  pollMs?: number | undefined
  clock?: Clock
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

export class JobQueue {
  readonly #jobs = new Map<string, Job>()
  /** By claim: a cancelled job may still run when it is claimed again. */
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
  readonly #nothingClaimableState = new Map<string, string>()

  constructor({ pools, log, metrics, pollMs = POLL_MS, clock = systemClock, leaseMs = LEASE_MS }: JobQueueOptions) {
    this.#log = log
    this.#metrics = metrics
    this.#pollMs = pollMs
    this.#clock = clock
    this.#leaseMs = leaseMs
    // One loop per pool, so that a free slot in one costs no queries for others.
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
    // Prometheus sees increases only of known series, and would miss the first failure.
    this.#metrics.jobSeconds.zero({ job_name: job.name, outcome: 'failed' })
  }

  async add(job: Pick<Job, 'name' | 'payload'>, rows: NewJob[]): Promise<void> {
    await this.#insert(job, rows, false)
  }

  /** A deferred job becomes due, and a running one runs once more afterwards. */
  async trigger(job: Pick<Job, 'name' | 'payload'>, rows: NewJob[]): Promise<void> {
    await this.#insert(job, rows, true)
  }

  async #insert(job: Pick<Job, 'name' | 'payload'>, rows: NewJob[], trigger: boolean): Promise<void> {
    if (rows.length === 0) return
    await insertJobRows(job, rows, { now: this.#clock.now(), trigger })
    const pool = this.#jobs.get(job.name)?.pool
    if (pool) this.#search([pool])
  }

  /** Other processes stop theirs at their next poll, and may store something until then. */
  async cancel(group: string): Promise<void> {
    await JobModel.deleteMany({ group })
    const mine = [...this.#running.values()].filter((job) => job.group === group)
    for (const job of mine) job.abort.abort()
    await Promise.all(mine.map((job) => job.done))
  }

  /** Waits for other processes' jobs for some minutes at most. Ends early when this process stops. */
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

  async expedite(group: string): Promise<void> {
    const now = this.#clock.now()
    await JobModel.updateMany({ group, status: 'queued', run_at: { $gt: now } }, { $set: { run_at: now } })
    this.#search(this.#pools.keys())
  }

  async hasJobs(group: string): Promise<boolean> {
    return (await JobModel.exists({ group })) !== null
  }

  async countJobs(): Promise<{ queued: number; running: number }> {
    const [queued, running] = await Promise.all(
      (['queued', 'running'] as const).map((status) => JobModel.countDocuments({ status })),
    )
    return { queued: queued ?? 0, running: running ?? 0 }
  }

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

  /** Those of other machines wait for their leases to end. */
  async releaseDead(): Promise<void> {
    const left = await releaseDeadLeases()
    if (left === 0) return
    this.#log.info({ jobs: left }, 'reclaiming jobs left by a stopped process')
    this.#search(this.#pools.keys())
  }

  async stop(): Promise<void> {
    this.#accepting = false
    clearInterval(this.#timer)
    await this.#pollLoop.idle()
    await Promise.all([...this.#pools.values()].map(({ claimLoop }) => claimLoop.idle()))
    for (const job of this.#running.values()) job.abort.abort()
    await Promise.all([...this.#running.values()].map((job) => job.done))
  }

  /** Two queries while nothing runs or is due, however many pools there are. */
  async #poll(): Promise<void> {
    try {
      await this.#abortLost()
      const now = this.#clock.now()
      const mine = [...this.#running.values()].map(({ id }) => id)
      await releaseExpiredLeases([...this.#jobs.keys()], mine, now)
      if (await JobModel.exists({ status: 'queued', run_at: { $lte: now } })) this.#search(this.#pools.keys())
    } catch (error) {
      this.#log.error({ err: error }, 'the job queue could not be polled')
    }
  }

  /** Stops what another process has cancelled, or claimed after our lease ended. */
  async #abortLost(): Promise<void> {
    const mine = [...this.#running]
    if (mine.length === 0) return
    const owners = await findOwners(mine.map(([, { id }]) => id))
    for (const [owner, job] of mine) if (owners.get(job.id) !== owner) job.abort.abort()
  }

  #search(pools: Iterable<string>): void {
    if (!this.#accepting) return
    this.#searchCount++
    // The loops claim for everybody, not for the request that woke them.
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

  async #claimNext(pool: string, limits: PoolLimits): Promise<boolean> {
    const names = [...this.#jobs.values()].filter((job) => job.pool === pool).map(({ name }) => name)
    const running = [...this.#running.values()].filter((job) => job.pool === pool)
    const isFull = running.length >= (await limits.max())
    if (names.length === 0 || (isFull && !limits.minPerKey)) return false
    const counted = limits.acrossProcesses ? await findRunningKeys(names) : running
    const saturated = await saturatedKeys(counted, isFull, limits)
    const state = `${this.#searchCount} ${saturated.join()}`
    // Otherwise a class waiting for slots would be searched again after each paper.
    if (saturated.length > 0 && state === this.#nothingClaimableState.get(pool)) return false
    const claim = (exceptKeys: string[]) =>
      claimJobRow({ names, exceptKeys, owner: newOwner(), now: this.#clock.now(), leaseMs: this.#leaseMs })
    // A key with nothing running goes first, so that one long class does not hold up another.
    const busy = [...new Set([...saturated, ...running.map(({ fairShareKey }) => fairShareKey)])]
    const row = (busy.length > saturated.length ? await claim(busy) : null) ?? (await claim(saturated))
    if (row) this.#startJob(row, pool)
    else this.#nothingClaimableState.set(pool, state)
    return row !== null
  }

  #startJob(row: ClaimedJobRow, pool: string): void {
    const abort = new AbortController()
    const { owner, group, share = group } = row
    const done = runForRequest(row.request_id, () => this.#runJob(row, abort), share)
      .catch((error: unknown) => this.#log.error({ err: error, job: row._id }, 'job could not be finished'))
      .finally(() => {
        this.#running.delete(row.owner)
        if (this.#accepting) runForRequest(undefined, () => this.#pools.get(pool)?.claimLoop.trigger())
      })
    this.#running.set(owner, { id: row._id, group, fairShareKey: share, pool, abort, done })
  }

  async #runJob(row: ClaimedJobRow, abort: AbortController): Promise<void> {
    const job = this.#jobs.get(row.name)
    if (!job) throw new Error(`no job is called ${row.name}`)
    const [log, metrics, clock, leaseMs] = [this.#log, this.#metrics, this.#clock, this.#leaseMs]
    await runClaimedJob(job, row, { abort, log, metrics, clock, leaseMs })
  }
}

interface CoalescedRuns {
  trigger(): void
  idle(): Promise<void>
}

function coalesceRuns(work: () => Promise<void>): CoalescedRuns {
  let running: Promise<void> | null = null
  let again = false
  async function go() {
    do {
      again = false
      await work()
    } while (again)
    running = null
  }
  return {
    trigger() {
      if (running) again = true
      else running = go()
    },
    async idle() {
      await running
    },
  }
}
