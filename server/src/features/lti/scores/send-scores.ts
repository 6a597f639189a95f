import { LtiPlatformModel } from '../../../records/lti/platform.model.ts'
import type { LtiScoreDoc } from '../../../records/lti/score.model.ts'
import type { Services } from '../../../services.ts'
import { type AgsClient, AgsRetryableError } from './ags-request.ts'
import { type LineItemRef, NoLineItemError } from './line-item.ts'
import { LineItemCache } from './line-item-cache.ts'
import { isPaused, pausePlatform, platformPause, resumePlatform } from './platform-pause.ts'
import { backoffMs, deferLinkScores, dueRows, isReleased, releaseScore } from './score-rows.ts'
import { type ScoreTarget, scoreTargetOfLink } from './score-targets.ts'
import { sendScore } from './send-score.ts'

/** Calls to one platform at a time. Canvas asks tools to stay near to one after the other. */
export const MAX_CONCURRENT_REQUESTS = 8
/** So many failures in a row are the platform's: it rests. */
const FAILURES_BEFORE_PAUSE = MAX_CONCURRENT_REQUESTS
/** After this long another platform's turn may come, in ms. */
const SLICE_MS = 30_000
/** What is held is looked at again so often; a change of what holds it is heard of at once. */
const BLOCKED_RETRY_MS = 10 * 60 * 1000
/** For the ledger to be brought up to date, in ms. */
const LEDGER_RETRY_MS = 2_000
const FETCH_SIZE = 64

export interface SendContext {
  services: Services
  signal: AbortSignal
  /** Somebody looks at the assignment's scores. */
  notify: (assignmentId: number) => void
  /** What is released is no longer what the ledger says. */
  requestLedgerUpdate: (assignmentId: number) => Promise<void>
}

/**
 * Sends what a platform is due, some at a time, until nothing is, the platform fails again and again, or its turn is over.
 * What is left stays in the ledger for the next turn.
 */
export async function sendScores(platformId: number, sending: SendContext): Promise<void> {
  const now = sending.services.clock.now()
  const platform = await LtiPlatformModel.findById(platformId, { status: 1 }).lean()
  const resting = await platformPause(platformId)
  if (platform?.status !== 'active' || isPaused(resting, now)) return
  const run = new SendRun(platformId, resting !== null, sending)
  // After a rest one goes ahead.
  await run.work(true)
  const workers = Array.from({ length: MAX_CONCURRENT_REQUESTS }, () => run.work())
  // All of them come to an end before the first failure is told: what they hold is theirs until then.
  for (const worker of await Promise.allSettled(workers)) if (worker.status === 'rejected') throw worker.reason
}

class SendRun {
  readonly #platformId: number
  readonly #sending: SendContext
  readonly #ags: AgsClient
  readonly #until = performance.now() + SLICE_MS
  readonly #atWork = new Set<string>()
  /** Links with nothing more to send in this turn. */
  readonly #closed = new Set<number>()
  readonly #targets = new Map<number, Promise<ScoreTarget | null>>()
  readonly #columns: LineItemCache
  #queue: LtiScoreDoc[] = []
  #fetching: Promise<void> | null = null
  /** True after a rest, until the platform has answered. */
  #trying: boolean
  #failures = 0
  #over = false

  constructor(platformId: number, trying: boolean, sending: SendContext) {
    this.#platformId = platformId
    this.#trying = trying
    this.#sending = sending
    this.#ags = { ...sending.services, signal: sending.signal }
    this.#columns = new LineItemCache(this.#ags)
  }

  get #now() {
    return this.#sending.services.clock.now()
  }

  /** `onlyTrying` ends as soon as it is known that the platform answers. */
  async work(onlyTrying = false): Promise<void> {
    while (!this.#isOver && (this.#trying || !onlyTrying)) {
      const row = await this.#next()
      if (!row) return
      this.#atWork.add(row._id)
      try {
        await this.#send(row)
      } catch (error) {
        this.#over = true
        throw error
      } finally {
        this.#atWork.delete(row._id)
      }
    }
  }

  get #isOver(): boolean {
    return this.#over || this.#sending.signal.aborted || performance.now() > this.#until
  }

  async #next(): Promise<LtiScoreDoc | null> {
    for (;;) {
      const row = this.#queue.shift()
      if (!row) {
        if (!(await this.#fetchMore())) return null
      } else if (!this.#atWork.has(row._id) && !this.#closed.has(row.link)) return row
    }
  }

  async #fetchMore(): Promise<boolean> {
    this.#fetching ??= dueRows(this.#platformId, this.#now, FETCH_SIZE)
      .then((rows) => {
        this.#queue = rows.filter(({ _id, link }) => !this.#atWork.has(_id) && !this.#closed.has(link))
      })
      .finally(() => {
        this.#fetching = null
      })
    await this.#fetching
    return this.#queue.length > 0
  }

  async #send(row: LtiScoreDoc): Promise<void> {
    const target = await this.#targetOf(row.link)
    if (target?.link.assignment_id !== row.assignment_id || !(await isReleased(row))) {
      await releaseScore(row, LEDGER_RETRY_MS, this.#now)
      return this.#sending.requestLedgerUpdate(row.assignment_id)
    }
    if (target.blockedReason !== null)
      return this.#close(target, {
        state: 'waiting',
        code: 'held',
        message: target.blockedReason,
        waitMs: BLOCKED_RETRY_MS,
      })
    const column = await this.#columnOf(target, row)
    if (!column) return
    const failed = await sendScore(row, {
      target,
      lineItem: column,
      ags: this.#ags,
      replaceLineItem: (gone) =>
        this.#columns.replace(target, gone).catch((error: unknown) => {
          if (error instanceof NoLineItemError) return this.#noColumn(target, error)
          throw error
        }),
    })
    await this.#note(failed)
    this.#sending.notify(row.assignment_id)
  }

  #targetOf(link: number): Promise<ScoreTarget | null> {
    const known = this.#targets.get(link) ?? scoreTargetOfLink(link)
    this.#targets.set(link, known)
    return known
  }

  /** Null where the link has none just now, or for good; then its rows know why. */
  async #columnOf(target: ScoreTarget, row: LtiScoreDoc): Promise<LineItemRef | null> {
    const { _id: link } = target.link
    try {
      return await this.#columns.get(target)
    } catch (error) {
      if (error instanceof NoLineItemError) return this.#noColumn(target, error)
      if (!(error instanceof AgsRetryableError)) throw error
      if (!this.#closed.has(link)) await this.#note(error)
      const waitMs = backoffMs(row.attempts, error.retryAfterMs)
      await this.#close(target, { state: 'waiting', code: 'later', message: error.message, waitMs })
      return null
    }
  }

  async #noColumn(target: ScoreTarget, { message }: NoLineItemError): Promise<null> {
    await this.#close(target, { state: 'refused', code: 'no_line_item', message, waitMs: 0 })
    return null
  }

  async #close(target: ScoreTarget, set: Parameters<typeof deferLinkScores>[1]): Promise<void> {
    const { _id: link, assignment_id } = target.link
    if (this.#closed.has(link)) return
    this.#closed.add(link)
    await deferLinkScores(link, set, this.#now)
    if (assignment_id !== null) this.#sending.notify(assignment_id)
  }

  /** A platform that fails for everybody, or many times in a row, is left alone for a while. */
  async #note(failed: AgsRetryableError | null): Promise<void> {
    if (!failed) {
      this.#failures = 0
      if (this.#trying) {
        this.#trying = false
        await resumePlatform(this.#platformId, this.#now)
      }
      return
    }
    this.#failures++
    if (this.#over || !(failed.platformWide || this.#trying || this.#failures >= FAILURES_BEFORE_PAUSE)) return
    this.#over = true
    await pausePlatform(this.#platformId, { problem: failed.message, waitMs: failed.retryAfterMs }, this.#now)
  }
}
