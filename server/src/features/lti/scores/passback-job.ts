import { totalPoints } from '@assay/shared/rules/edited-rubric.ts'
import { LtiPlatformModel } from '../../../records/lti/platform.model.ts'
import { LtiResourceLinkModel } from '../../../records/lti/resource-link.model.ts'
import type { LtiScoreDoc, ReasonCode } from '../../../records/lti/score.model.ts'
import type { Services } from '../../../services.ts'
import { findTitleAndRubric } from '../../assignments/assignment-queries.ts'
import { type AgsClient, AgsRetryableError } from './ags-request.ts'
import { findOrCreateLineItem, type LineItemRef, LinkGoneError, NoLineItemError } from './line-item.ts'
import { afterPause, isPaused, pausePlatform, platformPause, resumePlatform, retryDelay } from './platform-pause.ts'
import {
  deferLinkScores,
  dueRows,
  isReleased,
  nextDueAt,
  releaseScore,
  requeueSentScores,
  type TemporaryFailure,
} from './score-rows.ts'
import { markLinkGone, type ScoreTarget, scoreTargetOfLink } from './score-targets.ts'
import { sendOneScore } from './send-one-score.ts'

/** Per run, as a maximum may change between runs. */
class LineItemCache {
  readonly #found = new Map<number, Promise<LineItemRef>>()
  readonly #ags: AgsClient
  constructor(ags: AgsClient) {
    this.#ags = ags
  }

  /** @throws {NoLineItemError | AgsRetryableError | AgsAborted} */
  get(target: ScoreTarget): Promise<LineItemRef> {
    const { _id: link } = target.link
    const finding = this.#found.get(link) ?? this.#find(target)
    this.#found.set(link, finding)
    return finding
  }

  /** Concurrent callers share one search. @throws {NoLineItemError | AgsRetryableError | AgsAborted} */
  async replace(target: ScoreTarget, deleted: LineItemRef): Promise<LineItemRef> {
    const { _id: link } = target.link
    const finding = this.get(target)
    const known = await finding
    if (known.url !== deleted.url) return known
    if (this.#found.get(link) === finding) this.#found.delete(link)
    return this.get(target)
  }

  async #find(target: ScoreTarget): Promise<LineItemRef> {
    const { link } = target
    const before = link.lineitem_url
    const lineItem = await findOrCreateLineItem(target, await newLineItemFor(target), this.#ags)
    if (lineItem.url === before) return lineItem
    await LtiResourceLinkModel.updateOne({ _id: link._id }, { $set: { lineitem_url: lineItem.url } })
    link.lineitem_url = lineItem.url
    if (before !== null) await requeueSentScores(link._id, this.#ags.clock.now())
    return lineItem
  }
}

async function newLineItemFor({ link }: ScoreTarget) {
  const assignmentId = link.assignment_id ?? 0
  const assignment = await findTitleAndRubric(assignmentId)
  const title = assignment?.title ?? link.title ?? 'Assay'
  return { assignmentId, title, points: (assignment?.rubric && totalPoints(assignment.rubric)) || null }
}

/** Canvas asks tools for few. */
export const MAX_CONCURRENT_REQUESTS = 8
/** In a row: a line item's scores pause it; line items without an answer pause the platform. */
const FAILURES_BEFORE_PAUSE = 3
/** In ms: then other platforms may get their turn. */
const SLICE_MS = 30_000
/** The ledger update of an unblocked link sends at once. */
const BLOCKED_RETRY_MS = 10 * 60 * 1000
const LEDGER_RETRY_MS = 2_000
const FETCH_SIZE = 64

interface SendContext {
  services: Services
  signal: AbortSignal
  /** Of the queue: the platform's rows are sent under it. */
  claim: string
  notify: (assignmentId: number) => void
  requestLedgerUpdate: (assignmentId: number) => Promise<void>
}

/** @returns when to go on; null when nothing is left, or the platform is off */
export async function passBackScores(platformId: number, sending: SendContext): Promise<Date | null> {
  const now = sending.services.clock.now()
  const platform = await LtiPlatformModel.findById(platformId, { status: 1 }).lean()
  if (platform?.status !== 'active') return null
  const pause = await platformPause(platformId)
  if (!isPaused(pause, now)) await sendDueScores(platformId, pause !== null, sending)
  return afterPause(platformId, await nextDueAt(platformId))
}

async function sendDueScores(platformId: number, probing: boolean, sending: SendContext): Promise<void> {
  const run = new SendRun(platformId, probing, sending)
  // After a pause a single request goes first.
  await run.work(true)
  const workers = Array.from({ length: MAX_CONCURRENT_REQUESTS }, () => run.work())
  // All workers finish before the first error is thrown: they send under the same claim.
  for (const worker of await Promise.allSettled(workers)) if (worker.status === 'rejected') throw worker.reason
}

class SendRun {
  readonly #platformId: number
  readonly #sending: SendContext
  readonly #ags: AgsClient
  readonly #until = performance.now() + SLICE_MS
  readonly #inFlight = new Set<string>()
  readonly #gone = new Set<number>()
  readonly #closed = new Set<number>()
  readonly #targets = new Map<number, Promise<ScoreTarget | null>>()
  readonly #lineItems: LineItemCache
  #queue: LtiScoreDoc[] = []
  #fetching: Promise<void> | null = null
  /** After a pause, until the platform has answered. */
  #probing: boolean
  readonly #failures = new Map<number, number>()
  readonly #unanswered = new Set<number>()
  #over = false
  constructor(platformId: number, probing: boolean, sending: SendContext) {
    this.#platformId = platformId
    this.#probing = probing
    this.#sending = sending
    this.#ags = { ...sending.services, signal: sending.signal }
    this.#lineItems = new LineItemCache(this.#ags)
  }

  get #now() {
    return this.#sending.services.clock.now()
  }

  /** `probeOnly`: returns once the platform has answered. */
  async work(probeOnly = false): Promise<void> {
    while (!this.#isOver && (this.#probing || !probeOnly)) {
      const row = await this.#next()
      if (!row) return
      this.#inFlight.add(row._id)
      try {
        await this.#send(row)
      } catch (error) {
        this.#over = true
        throw error
      } finally {
        this.#inFlight.delete(row._id)
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
      } else if (!this.#inFlight.has(row._id) && !this.#closed.has(row.link)) return row
    }
  }

  async #fetchMore(): Promise<boolean> {
    const { claim } = this.#sending
    const which = { claim, now: this.#now, limit: FETCH_SIZE, probing: this.#probing }
    this.#fetching ??= dueRows(this.#platformId, which)
      .then((rows) => {
        this.#queue = rows.filter(({ _id, link }) => !this.#inFlight.has(_id) && !this.#closed.has(link))
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
    if (target.blockedReason !== null) {
      const reason = { code: 'held' as const, message: target.blockedReason }
      return this.#close(target, { state: 'waiting', reason, waitMs: BLOCKED_RETRY_MS })
    }
    if (target.link.gone) return this.#refuse(target, 'gone', target.link.gone.message)
    const lineItem = await this.#lineItemOf(target, row)
    if (!lineItem) return
    const failed = await sendOneScore(row, {
      target,
      lineItem,
      ags: this.#ags,
      metrics: this.#sending.services.metrics,
      claim: this.#sending.claim,
      replaceLineItem: (deleted) =>
        this.#lineItems.replace(target, deleted).catch((error: unknown) => {
          if (error instanceof NoLineItemError) return this.#closeWithoutLineItem(target, error)
          throw error
        }),
    })
    await this.#recordResult(target, failed)
    this.#sending.notify(row.assignment_id)
  }

  #targetOf(link: number): Promise<ScoreTarget | null> {
    const known = this.#targets.get(link) ?? scoreTargetOfLink(link)
    this.#targets.set(link, known)
    return known
  }

  /** Null where the link has none; its rows then say why. */
  async #lineItemOf(target: ScoreTarget, row: LtiScoreDoc): Promise<LineItemRef | null> {
    const { _id: link } = target.link
    try {
      return await this.#lineItems.get(target)
    } catch (error) {
      if (error instanceof NoLineItemError) return this.#closeWithoutLineItem(target, error)
      if (!(error instanceof AgsRetryableError)) throw error
      const reason = { code: 'later' as const, message: error.message }
      const failed = { error, ofLineItem: false, reason, waitMs: retryDelay(error, row.attempts + 1) }
      if (!this.#closed.has(link)) await this.#recordResult(target, failed)
      await this.#close(target, { state: 'waiting', ...failed })
      return null
    }
  }

  async #closeWithoutLineItem(target: ScoreTarget, error: NoLineItemError): Promise<null> {
    const { message } = error
    if (error instanceof LinkGoneError) {
      const { _id: link } = target.link
      // Once: it may be opened again before the other workers are told.
      if (!this.#gone.has(link)) {
        this.#gone.add(link)
        await markLinkGone(link, message, this.#now)
      }
      await this.#refuse(target, 'gone', message)
      return null
    }
    await this.#refuse(target, 'no_line_item', message)
    return null
  }

  #refuse(target: ScoreTarget, code: ReasonCode, message: string): Promise<void> {
    return this.#close(target, { state: 'refused', reason: { code, message }, waitMs: 0 })
  }

  async #close(target: ScoreTarget, set: Parameters<typeof deferLinkScores>[1]): Promise<void> {
    const { _id: link, assignment_id } = target.link
    if (this.#closed.has(link)) return
    this.#closed.add(link)
    await deferLinkScores(link, set, this.#now)
    if (assignment_id !== null) this.#sending.notify(assignment_id)
  }

  async #recordResult(target: ScoreTarget, failed: TemporaryFailure | null): Promise<void> {
    const { _id: link } = target.link
    const failures = failed ? (this.#failures.get(link) ?? 0) + 1 : 0
    this.#failures.set(link, failures)
    if (!failed || failed.ofLineItem) await this.#recordAnswer()
    else this.#unanswered.add(link)
    if (!failed) return
    const { ofLineItem, error } = failed
    const several = this.#unanswered.size >= FAILURES_BEFORE_PAUSE
    if (!ofLineItem && !this.#over && (error.platformWide || this.#probing || several)) {
      this.#over = true
      await pausePlatform(this.#platformId, error, this.#now)
    }
    // The next probe is of another.
    if (!error.platformWide && (this.#probing || failures >= FAILURES_BEFORE_PAUSE))
      await this.#close(target, { state: 'waiting', ...failed })
  }

  async #recordAnswer(): Promise<void> {
    this.#unanswered.clear()
    if (!this.#probing) return
    this.#probing = false
    await resumePlatform(this.#platformId, this.#now)
  }
}
