import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import mongoose from 'mongoose'
import type { z } from 'zod'
import type { Log } from './log.ts'

/** A name, a payload of ids and a function that may run twice. */
export interface Job<P extends z.ZodType = z.ZodType> {
  name: string
  payload: P
  run: (payload: z.output<P>, signal: AbortSignal) => Promise<void>
  /** Called once when the last attempt has failed. */
  onGivenUp?: (payload: z.output<P>, error: unknown) => Promise<void>
  /** How often it is tried before it is given up. */
  attempts: number
  /**
   * Done beside the heavy work, in places of its own, as it waits more than it works: a mail server that does not answer
   * must not keep papers from being graded, nor a class being graded a mail from being sent.
   */
  aside?: true
}

export function defineJob<P extends z.ZodType>(job: Job<P>): Job<P> {
  return job
}

interface JobRow {
  /** The job's own key, e.g. `grade-paper:7:31`: put in twice, it stands once. */
  _id: string
  name: string
  /** Jobs of one group can be cancelled together. */
  group: string
  payload: unknown
  status: 'queued' | 'running' | 'failed'
  run_at: Date
  /** How often it has failed. */
  attempts: number
  /** How often it was taken up: more than it failed by as often as a process died over it. */
  claims: number
  owner: string | null
  locked_until: Date | null
  error: string | null
}

const jobSchema = new mongoose.Schema<JobRow>(
  {
    _id: String,
    name: { type: String, required: true },
    group: { type: String, required: true },
    payload: { type: mongoose.Schema.Types.Mixed, required: true },
    status: { type: String, required: true },
    run_at: { type: Date, required: true },
    attempts: { type: Number, required: true },
    claims: { type: Number, required: true },
    owner: String,
    locked_until: Date,
    error: String,
  },
  { versionKey: false },
)
// By name as well: mails by the thousand must not stand between a claim and the work it looks for.
jobSchema.index({ status: 1, name: 1, run_at: 1 })
jobSchema.index({ status: 1, run_at: 1 })
jobSchema.index({ group: 1 })
const JobModel = mongoose.model('Job', jobSchema, 'jobs')

/** What was given up, for whoever looks after the machine. No payload: it is gone with the job, and so is what it held. */
interface FailedJobRow {
  name: string
  error: string
  at: Date
}

const failedJobSchema = new mongoose.Schema<FailedJobRow>(
  {
    name: { type: String, required: true },
    error: { type: String, required: true },
    at: { type: Date, required: true },
  },
  { versionKey: false },
)
failedJobSchema.index({ at: 1 }, { expireAfterSeconds: 30 * 24 * 60 * 60 })
const FailedJobModel = mongoose.model('FailedJob', failedJobSchema, 'failed_jobs')

/** Long enough for one paper to be read; renewed while the work goes on. */
const LEASE_MS = 30_000
const POLL_MS = 1_000

/** How many jobs are done beside the heavy work at once. */
const ASIDE_AT_ONCE = 4

/** Work that was taken up this often and never came to an end takes its process down with it. */
const MAX_CLAIMS = 20

export interface NewJob {
  key: string
  group: string
  payload: unknown
}

/**
 * The queue. What is to be done stands in the database, so that it survives a restart; who does it is whichever
 * process claims it first. A process that dies lets go of its work when its lease runs out, or at once when a new
 * one on the same machine sees that it is gone.
 */
export class JobQueue {
  readonly #jobs = new Map<string, Job>()
  readonly #running = new Map<
    string,
    { group: string; aside: boolean; abort: AbortController; done: Promise<void> }
  >()
  readonly #owner = `${hostname()}/${process.pid}/${randomUUID()}`
  readonly #concurrency: () => Promise<number> | number
  readonly #log: Log
  #timer: NodeJS.Timeout | undefined
  #open = false
  #claiming: Promise<void> | null = null
  #again = false

  /** `concurrency` is asked each time work is looked for: it may change. */
  constructor(concurrency: () => Promise<number> | number, log: Log) {
    this.#concurrency = concurrency
    this.#log = log
  }

  register(job: Job): void {
    this.#jobs.set(job.name, job)
  }

  async add(job: Pick<Job, 'name' | 'payload'>, rows: NewJob[]): Promise<void> {
    if (rows.length === 0) return
    const now = new Date()
    await JobModel.bulkWrite(
      rows.map(({ key, group, payload }) => ({
        updateOne: {
          filter: { _id: `${job.name}:${key}` },
          update: {
            $setOnInsert: {
              name: job.name,
              group,
              payload: job.payload.parse(payload),
              status: 'queued' as const,
              run_at: now,
              attempts: 0,
              claims: 0,
              owner: null,
              locked_until: null,
              error: null,
            },
          },
          upsert: true,
        },
      })),
      { ordered: false },
    )
    this.#poll()
  }

  /** Takes back what waits and stops what runs here. Jobs elsewhere see for themselves that they are not wanted. */
  async cancel(group: string): Promise<void> {
    await JobModel.deleteMany({ group })
    const mine = [...this.#running.values()].filter((job) => job.group === group)
    for (const job of mine) job.abort.abort()
    await Promise.all(mine.map((job) => job.done))
  }

  /** How much waits and how much is at work, here and in other processes. */
  async load(): Promise<{ queued: number; running: number }> {
    const [queued, running] = await Promise.all(
      (['queued', 'running'] as const).map((status) => JobModel.countDocuments({ status })),
    )
    return { queued: queued ?? 0, running: running ?? 0 }
  }

  /** What was given up since a moment, newest first. */
  givenUpSince(moment: Date): Promise<FailedJobRow[]> {
    return FailedJobModel.find({ at: { $gte: moment } }, { _id: 0 })
      .sort({ at: -1 })
      .limit(100)
      .lean()
  }

  async start(): Promise<void> {
    this.#open = true
    await this.#takeOverFromTheDead()
    this.#timer = setInterval(() => this.#poll(), POLL_MS)
    this.#poll()
  }

  /** Claims nothing more, breaks off what runs and leaves it queued for whoever comes next. */
  async stop(): Promise<void> {
    this.#open = false
    clearInterval(this.#timer)
    await this.#claiming
    for (const job of this.#running.values()) job.abort.abort()
    await Promise.all([...this.#running.values()].map((job) => job.done))
  }

  async #takeOverFromTheDead(): Promise<void> {
    const prefix = `${hostname()}/`
    const rows = await JobModel.find({ status: 'running' }, { owner: 1 }).lean()
    const dead = rows.filter(
      ({ owner }) => owner?.startsWith(prefix) && !isAlive(Number(owner.split('/')[1])),
    )
    if (dead.length === 0) return
    this.#log.info({ jobs: dead.length }, 'taking up work a stopped process left')
    await JobModel.updateMany(
      { _id: { $in: dead.map((row) => row._id) }, status: 'running' },
      { $set: { status: 'queued', owner: null, locked_until: null } },
    )
  }

  #poll(): void {
    if (this.#claiming) {
      this.#again = true
      return
    }
    this.#claiming = this.#claimAll()
      .catch((error: unknown) => this.#log.error({ err: error }, 'the job queue could not be read'))
      .finally(() => {
        this.#claiming = null
        if (this.#again) {
          this.#again = false
          this.#poll()
        }
      })
  }

  async #claimAll(): Promise<void> {
    await this.#claimUpTo(ASIDE_AT_ONCE, true)
    await this.#claimUpTo(await this.#concurrency(), false)
  }

  async #claimUpTo(most: number, aside: boolean): Promise<void> {
    const names = [...this.#jobs.values()]
      .filter((job) => (job.aside ?? false) === aside)
      .map(({ name }) => name)
    const running = () => [...this.#running.values()].filter((job) => job.aside === aside).length
    while (this.#open && names.length > 0 && running() < most) {
      const row = await this.#claim(names)
      if (!row) return
      this.#begin(row, aside)
    }
  }

  /** Work that this process does not know is left to those that do: an older one beside a newer, say. */
  async #claim(names: string[]): Promise<JobRow | null> {
    const now = new Date()
    const take = {
      $set: {
        status: 'running' as const,
        owner: this.#owner,
        locked_until: new Date(now.getTime() + LEASE_MS),
      },
      $inc: { claims: 1 },
    }
    const known = { name: { $in: names } }
    const waiting = { ...known, status: 'queued' as const, run_at: { $lte: now } }
    // After a machine has slept our own leases look run out before they are renewed; what runs here runs here.
    const mine = [...this.#running.keys()]
    const letGo = { ...known, status: 'running' as const, locked_until: { $lt: now }, _id: { $nin: mine } }
    const after = { returnDocument: 'after' } as const
    return (
      (await JobModel.findOneAndUpdate(waiting, take, { ...after, sort: { run_at: 1 } }).lean()) ??
      (await JobModel.findOneAndUpdate(letGo, take, after).lean())
    )
  }

  #begin(row: JobRow, aside: boolean): void {
    const abort = new AbortController()
    const done = this.#perform(row, abort.signal)
      .catch((error: unknown) => this.#log.error({ err: error, job: row._id }, 'a job could not be finished'))
      .finally(() => {
        this.#running.delete(row._id)
        if (this.#open) this.#poll()
      })
    this.#running.set(row._id, { group: row.group, aside, abort, done })
  }

  async #perform(row: JobRow, signal: AbortSignal): Promise<void> {
    const mine = { _id: row._id, owner: this.#owner }
    const job = this.#jobs.get(row.name)
    if (!job) throw new Error(`no job is called ${row.name}`)
    const renew = setInterval(() => {
      JobModel.updateOne(mine, { $set: { locked_until: new Date(Date.now() + LEASE_MS) } }).catch(
        (error: unknown) => this.#log.warn({ err: error, job: row._id }, 'a lease could not be renewed'),
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
      await this.#failed(job, row, error)
    } finally {
      clearInterval(renew)
    }
  }

  async #failed(job: Job, row: JobRow, error: unknown): Promise<void> {
    const mine = { _id: row._id, owner: this.#owner }
    const message = error instanceof Error ? error.message : String(error)
    const attempts = row.attempts + 1
    if (attempts < job.attempts && row.claims <= MAX_CLAIMS) {
      this.#log.warn({ err: error, job: row._id }, 'a job failed and will be tried again')
      const wait = 1000 * 2 ** row.attempts
      const again = {
        status: 'queued' as const,
        run_at: new Date(Date.now() + wait),
        attempts,
        owner: null,
        locked_until: null,
        error: message,
      }
      await JobModel.updateOne(mine, { $set: again })
      return
    }
    this.#log.error({ err: error, job: row._id }, 'a job was given up')
    const payload = job.payload.safeParse(row.payload)
    if (payload.success) await job.onGivenUp?.(payload.data, error)
    await FailedJobModel.create({ name: row.name, error: message, at: new Date() })
    await JobModel.deleteOne(mine)
  }
}

function isAlive(pid: number): boolean {
  if (pid === process.pid) return false // An earlier process with our number is gone, else we would not have it.
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
