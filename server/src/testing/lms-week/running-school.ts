import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import mongoose from 'mongoose'
import { expect } from 'vitest'
import { type FakeLms, startFakeLms } from '../../../../tests/fake-lms/fake-lms.ts'
import type { KindName } from '../../../../tests/fake-lms/lms-kinds.ts'
import type { Service } from '../../../../tests/fake-lms/request-log.ts'
import { JobModel } from '../../lib/jobs/job.model.ts'
import { LtiLedgerDueModel } from '../../records/lti/platform-pause.model.ts'
import type { RunningServer } from '../../start.ts'
import { type Api, createTestApi } from '../api.ts'
import { createTestDatabase, type TestDatabase } from '../create-test-database.ts'
import { type MovedClock, moveClock } from '../move-clock.ts'
import { startTestServer } from '../server.ts'
import { clockAhead, type ServerProcess, startServerProcess } from '../server-process.ts'

/** How Assay runs: in this process, and is stopped as by SIGTERM; or in a process of its own, which is killed. */
export type Hosting = 'stopped' | 'killed'

/** The jobs that concern an LMS's roster and gradebook. */
const jobNames = ['update-score-ledger', 'send-scores', 'read-lms-results', 'sync-lms-roster']
/** What of an LMS fails when it is down. */
const services: Service[] = ['token', 'members', 'lineItems', 'lineItem', 'scores', 'results']

const POLL_MS = 20
const TIMEOUT_MS = 30_000
/** Back-offs and retries are over long before. */
const MAX_WAITS = 60

/** Assay, an LMS and a clock: each of them can stop, go on and be looked at. What has to wait waits by the clock alone. */
export class RunningSchool {
  readonly lms: FakeLms
  readonly clock: MovedClock
  /** Null while it is down. */
  assay: RunningServer | ServerProcess | null = null
  readonly #hosting: Hosting
  readonly #dataDir: string
  readonly #database: TestDatabase
  #endOutage: (() => void) | null = null

  private constructor(lms: FakeLms, hosting: Hosting, dataDir: string, database: TestDatabase) {
    this.lms = lms
    this.#hosting = hosting
    this.#dataDir = dataDir
    this.#database = database
    this.clock = moveClock()
  }

  static async open(kind: KindName, hosting: Hosting): Promise<RunningSchool> {
    const dataDir = await mkdtemp(join(tmpdir(), 'assay-week-'))
    return new RunningSchool(await startFakeLms({ kind }), hosting, dataDir, await createTestDatabase())
  }

  async close(): Promise<void> {
    try {
      await this.stop()
      await this.lms.close()
      await this.#database.drop()
      await rm(this.#dataDir, { recursive: true, force: true })
    } finally {
      this.clock.restore()
    }
  }

  /** In this process, whichever way it runs otherwise: for what builds records, and for the end. */
  startHere(): Promise<RunningServer> {
    const polls = { jobPollMs: POLL_MS, scorePollMs: POLL_MS }
    return this.#start(() => startTestServer(this.#dataDir, { MONGODB_URL: this.#database.url }, polls))
  }

  async start(): Promise<void> {
    if (this.assay) return
    if (this.#hosting === 'stopped') return void (await this.startHere())
    const environment = { MONGODB_URL: this.#database.url, ...clockAhead(this.clock.ahead()) }
    await this.#start(() => startServerProcess(this.#dataDir, environment))
    await mongoose.connect(this.#database.url, { autoCreate: false, autoIndex: false })
  }

  /** The LMS gives no token before it knows the new address. */
  async #start<T extends RunningServer | ServerProcess>(begin: () => Promise<T>): Promise<T> {
    const known = Promise.withResolvers<void>()
    const endHold = this.lms.fail('token', { before: () => known.promise, times: Infinity })
    const started = await begin()
    const launchUrl = `${started.url}/lti/launch`
    for (const tool of this.lms.tools.values())
      Object.assign(tool, {
        ...{ loginUrl: `${started.url}/lti/login`, jwksUrl: `${started.url}/lti/keys` },
        ...{ launchUrl, deepLinkingUrl: launchUrl, redirectUris: [launchUrl] },
      })
    for (const link of this.lms.links.values()) link.url = launchUrl
    endHold()
    known.resolve()
    this.assay = started
    return started
  }

  async stop(): Promise<void> {
    const { assay } = this
    this.assay = null
    if (!assay) return
    if ('kill' in assay) {
      await assay.kill()
      await mongoose.disconnect()
    } else await assay.stop()
  }

  /** Ends Assay while a service of the LMS is being asked, if it asks any; the LMS has done what it was asked, or not. */
  async stopAt(service: Service, done: boolean): Promise<void> {
    const heard = Promise.withResolvers<true>()
    const gate = Promise.withResolvers<void>()
    const before = () => {
      heard.resolve(true)
      return gate.promise
    }
    const end = this.lms.fail(service, { before, ...(done ? {} : { reset: 'before' }) })
    await Promise.race([heard.promise, this.idle()])
    end()
    await this.stop()
    gate.resolve()
  }

  get api(): Api {
    const { assay } = this
    if (!assay) throw new Error('Assay is down')
    return createTestApi({ running: assay })
  }

  /** Time passes; in a process of its own always a minute. */
  pass(ms: number): void {
    const { assay } = this
    const isProcess = assay !== null && 'kill' in assay
    this.clock.pass(isProcess && ms > 0 ? 60_000 : ms)
    if (isProcess && ms > 0) assay.child.kill('SIGUSR2')
  }

  /** @param done whether the LMS still did what it was asked last, without saying so */
  breakLms(done: boolean): void {
    if (this.#endOutage) return
    const last = done ? [this.lms.fail('scores', { reset: 'after' })] : []
    const down = services.map((service) => this.lms.fail(service, { reset: 'before', times: Infinity }))
    this.#endOutage = () => {
      for (const end of [...last, ...down]) end()
    }
  }
  mendLms(): void {
    this.#endOutage?.()
    this.#endOutage = null
  }
  get isLmsDown(): boolean {
    return this.#endOutage !== null
  }

  /** Until nothing is under way, nor due now. */
  async idle(): Promise<void> {
    const look = async () => (await countDue()) + (await countDue())
    await expect.poll(look, { timeout: TIMEOUT_MS, interval: POLL_MS }).toBe(0)
  }

  /** Until nothing is to be done any more, now or later: time passes from one due thing to the next. */
  async settle(): Promise<void> {
    for (let waits = 0; waits < MAX_WAITS; waits++) {
      await this.idle()
      const next = await JobModel.findOne({ name: { $in: jobNames } })
        .sort({ run_at: 1 })
        .lean()
      if (!next) return
      this.pass(Math.max(0, next.run_at.getTime() - Date.now()) + 1)
    }
    throw new Error('Assay never stops asking the LMS')
  }
}

/** Ledgers first: a job that is done has left one. */
async function countDue(): Promise<number> {
  const ledgers = await LtiLedgerDueModel.countDocuments()
  const due = [{ status: 'running' as const }, { status: 'queued' as const, run_at: { $lte: new Date() } }]
  return ledgers + (await JobModel.countDocuments({ name: { $in: jobNames }, $or: due }))
}
