import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Log } from '../log.ts'
import { type CoalescedRuns, coalesceRuns } from './coalesce.ts'
import { FailedJobModel, type FailedJobRow, JobModel, type JobRow } from './job.model.ts'
import { DeferJob, type Job, type JobPool, type NewJob } from './job.ts'
import { claimJobRow, deferJobRow, insertJobRows, LEASE_MS, releaseDeadLeases, retryJobRow } from './job-rows.ts'

const POLL_MS = 1_000

/** How many jobs are done beside the heavy work at once. */
const IO_CONCURRENCY = 4
/** How many wait for LMSs, and of them for the same one, which may hang. */
const LMS_CONCURRENCY = 6
const CONCURRENCY_PER_LMS = 2

/** How many jobs this process does at once. */
export interface ConcurrencyLimits {
  /** Of the heavy work. */
  cpu(): Promise<number>
  /** Of what waits for models, for each whose share it is: no one's provider holds up another's papers. */
  llm(share: string): Promise<number>
}

/** What waits for models keeps its papers in memory: beyond so many in all, each share has a few places and no more. */
const LLM_CONCURRENCY = 320
const LLM_CONCURRENCY_PER_SHARE_WHEN_FULL = 4

const pools: JobPool[] = ['work', 'aside', 'lms', 'model']
const poolOf = (job: Pick<Job, 'pool'>): JobPool => job.pool ?? 'work'

/** Work that was taken up this often and never came to an end takes its process down with it. */
const MAX_CLAIMS = 20

/**
 * The queue. What is to be done stands in the database, so that it survives a restart; who does it is whichever
 * process claims it first. A process that dies lets go of its work when its lease runs out, or at once when a new
 * one on the same machine sees that it is gone.
 */
export class JobQueue {
  readonly #jobs = new Map<string, Job>()
  readonly #running = new Map<
    string,
    { group: string; share: string; lane: JobPool; abort: AbortController; done: Promise<void> }
  >()
  readonly #owner = `${hostname()}/${process.pid}/${randomUUID()}`
  readonly #limits: ConcurrencyLimits
  readonly #log: Log
  #timer: NodeJS.Timeout | undefined
  #accepting = false
  /** How often there may have been something new to do. */
  #pollCount = 0
  /** The shares that had all their places when there was nothing beside them, and as of which poll. */
  #nothingClaimableState: string | null = null
  /** Each lane looks for work of its own: where nothing waits must not be asked first whenever a place elsewhere is free. */
  readonly #claimLoops: Record<JobPool, CoalescedRuns>

  /** `places` is asked each time work is looked for: it may change. */
  constructor(places: ConcurrencyLimits, log: Log) {
    this.#limits = places
    this.#log = log
    this.#claimLoops = {
      work: coalesceRuns(() => this.#claimForPool('work')),
      aside: coalesceRuns(() => this.#claimForPool('aside')),
      lms: coalesceRuns(() => this.#claimForPool('lms')),
      model: coalesceRuns(() => this.#claimForPool('model')),
    }
  }

  register(job: Job): void {
    this.#jobs.set(job.name, job)
  }

  async add(job: Pick<Job, 'name' | 'payload'>, rows: NewJob[]): Promise<void> {
    if (rows.length === 0) return
    await insertJobRows(job, rows)
    this.#poll()
  }

  /** Takes back what waits and stops what runs here. Jobs elsewhere see for themselves that they are not wanted. */
  async cancel(group: string): Promise<void> {
    await JobModel.deleteMany({ group })
    const mine = [...this.#running.values()].filter((job) => job.group === group)
    for (const job of mine) job.abort.abort()
    await Promise.all(mine.map((job) => job.done))
  }

  /** Takes back what waits, and lets what runs here come to its end. */
  async drain(group: string): Promise<void> {
    await JobModel.deleteMany({ group, status: 'queued' })
    await Promise.all([...this.#running.values()].filter((job) => job.group === group).map((job) => job.done))
  }

  /** Has what waits of a group come no sooner than `until`. */
  async defer(group: string, until: Date): Promise<void> {
    await JobModel.updateMany({ group, status: 'queued', run_at: { $lt: until } }, { $set: { run_at: until } })
  }

  /** Has a group's jobs done as soon as there are places, however far they were put off. */
  async expedite(group: string): Promise<void> {
    const now = new Date()
    await JobModel.updateMany({ group, status: 'queued', run_at: { $gt: now } }, { $set: { run_at: now } })
    this.#poll()
  }

  /** How much waits and how much is at work, here and in other processes. */
  async countJobs(): Promise<{ queued: number; running: number }> {
    const [queued, running] = await Promise.all(
      (['queued', 'running'] as const).map((status) => JobModel.countDocuments({ status })),
    )
    return { queued: queued ?? 0, running: running ?? 0 }
  }

  /** What was given up since a moment, newest first. */
  listFailedSince(moment: Date): Promise<FailedJobRow[]> {
    return FailedJobModel.find({ at: { $gte: moment } }, { _id: 0 })
      .sort({ at: -1 })
      .limit(100)
      .lean()
  }

  async start(): Promise<void> {
    this.#accepting = true
    const left = await releaseDeadLeases()
    if (left > 0) this.#log.info({ jobs: left }, 'taking up work a stopped process left')
    this.#timer = setInterval(() => this.#poll(), POLL_MS)
    this.#poll()
  }

  /** Claims nothing more, breaks off what runs and leaves it queued for whoever comes next. */
  async stop(): Promise<void> {
    this.#accepting = false
    clearInterval(this.#timer)
    await Promise.all(pools.map((lane) => this.#claimLoops[lane].idle()))
    for (const job of this.#running.values()) job.abort.abort()
    await Promise.all([...this.#running.values()].map((job) => job.done))
  }

  #poll(): void {
    this.#pollCount++
    for (const lane of pools) this.#claimLoops[lane].trigger()
  }

  async #claimForPool(lane: JobPool): Promise<void> {
    try {
      if (lane === 'model') await this.#claimFairly(lane)
      else if (lane === 'lms') await this.#claimUpTo(LMS_CONCURRENCY, lane)
      else await this.#claimUpTo(lane === 'aside' ? IO_CONCURRENCY : await this.#limits.cpu(), lane)
    } catch (error) {
      this.#log.error({ err: error, lane }, 'the job queue could not be read')
    }
  }

  async #claimUpTo(most: number, lane: JobPool): Promise<void> {
    const names = this.#jobNamesIn(lane)
    const running = () => [...this.#running.values()].filter((job) => job.lane === lane).length
    while (this.#accepting && names.length > 0 && running() < most) {
      const row = await this.#claim(names, lane === 'lms' ? await this.#saturatedShares(lane) : [])
      if (!row) return
      this.#startJob(row, lane)
    }
  }

  #jobNamesIn(lane: JobPool): string[] {
    return [...this.#jobs.values()].filter((job) => poolOf(job) === lane).map(({ name }) => name)
  }

  /** Claims what is due, but for those who have all the places they may. */
  async #claimFairly(lane: JobPool): Promise<void> {
    const names = this.#jobNamesIn(lane)
    while (this.#accepting && names.length > 0) {
      const full = await this.#saturatedShares(lane)
      const beside = `${this.#pollCount} ${full.join()}`
      // A whole class that waits for places would be looked through after each of its papers.
      if (full.length > 0 && beside === this.#nothingClaimableState) return
      const row = await this.#claim(names, full)
      if (!row) {
        this.#nothingClaimableState = beside
        return
      }
      this.#startJob(row, lane)
    }
  }

  async #saturatedShares(lane: JobPool): Promise<string[]> {
    const running = [...this.#running.values()].filter((job) => job.lane === lane)
    const many = running.length >= LLM_CONCURRENCY
    const shares = [...Map.groupBy(running, ({ share }) => share)]
    const full = await Promise.all(
      shares.map(async ([share, jobs]) => {
        const most = lane === 'lms' ? CONCURRENCY_PER_LMS : await this.#limits.llm(share)
        return jobs.length >= (many ? Math.min(most, LLM_CONCURRENCY_PER_SHARE_WHEN_FULL) : most) ? [share] : []
      }),
    )
    return full.flat().sort()
  }

  #claim(names: string[], fullShares: string[]): Promise<JobRow | null> {
    return claimJobRow({ names, fullShares, owner: this.#owner, mine: [...this.#running.keys()] })
  }

  #startJob(row: JobRow, lane: JobPool): void {
    const abort = new AbortController()
    const done = this.#runJob(row, abort.signal)
      .catch((error: unknown) => this.#log.error({ err: error, job: row._id }, 'a job could not be finished'))
      .finally(() => {
        this.#running.delete(row._id)
        if (this.#accepting) this.#claimLoops[lane].trigger()
      })
    this.#running.set(row._id, { group: row.group, share: row.share ?? row.group, lane, abort, done })
  }

  async #runJob(row: JobRow, signal: AbortSignal): Promise<void> {
    const mine = { _id: row._id, owner: this.#owner }
    const job = this.#jobs.get(row.name)
    if (!job) throw new Error(`no job is called ${row.name}`)
    const renew = setInterval(() => {
      JobModel.updateOne(mine, { $set: { locked_until: new Date(Date.now() + LEASE_MS) } }).catch((error: unknown) =>
        this.#log.warn({ err: error, job: row._id }, 'a lease could not be renewed'),
      )
    }, LEASE_MS / 3)
    try {
      if (row.claims > MAX_CLAIMS) throw new Error(`taken up ${MAX_CLAIMS} times and never finished`)
      await job.run(job.payload.parse(row.payload), signal)
      await JobModel.deleteOne(mine)
    } catch (error) {
      if (signal.aborted) {
        // Broken off on purpose: it counts as no attempt and waits for the next process, unless it was cancelled.
        const free = { status: 'queued' as const, owner: null, locked_until: null }
        await JobModel.updateOne(mine, { $set: free })
        return
      }
      if (error instanceof DeferJob) await deferJobRow(row, this.#owner, error)
      else await this.#failed(job, row, error)
    } finally {
      clearInterval(renew)
    }
  }

  async #failed(job: Job, row: JobRow, error: unknown): Promise<void> {
    const message = error instanceof Error ? error.message : String(error)
    const attempts = row.attempts + 1
    if (attempts < job.attempts && row.claims <= MAX_CLAIMS) {
      this.#log.warn({ err: error, job: row._id }, 'a job failed and will be tried again')
      const wait = 1000 * 2 ** row.attempts
      await retryJobRow(row, this.#owner, attempts, wait, message)
      return
    }
    this.#log.error({ err: error, job: row._id }, 'a job was given up')
    const payload = job.payload.safeParse(row.payload)
    if (payload.success) await job.onFailed?.(payload.data, error)
    await FailedJobModel.create({ name: row.name, error: message, at: new Date() })
    await JobModel.deleteOne({ _id: row._id, owner: this.#owner })
  }
}
