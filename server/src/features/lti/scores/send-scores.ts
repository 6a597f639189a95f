import type { Services } from '../../../services.ts'
import { LtiPlatformModel } from '../platforms/platform.model.ts'
import { type Ags, TryLater } from './ags.ts'
import { Columns } from './columns.ts'
import { type Column, NoColumn } from './line-item.ts'
import { endRest, isResting, rest, restOf } from './rest.ts'
import type { LtiScoreDoc } from './score.model.ts'
import { dueRows, isReleased, letGo, setWaiting, waitAfter } from './score-rows.ts'
import { sendOne } from './send-one.ts'
import { type Target, targetOfLink } from './targets.ts'

/** Calls to one platform at a time. Canvas asks tools to stay near to one after the other. */
export const AT_ONCE = 8
/** So many failures in a row are the platform's: it rests. */
const ENOUGH_FAILURES = AT_ONCE
/** After this long another platform's turn may come, in ms. */
const SLICE_MS = 30_000
/** What is held is looked at again so often; a change of what holds it is heard of at once. */
const HELD_MS = 10 * 60 * 1000
/** For the ledger to be brought up to date, in ms. */
const LEDGER_MS = 2_000
const FETCH = 64

export interface Sending {
  services: Services
  signal: AbortSignal
  /** Somebody looks at the assignment's scores. */
  tell: (assignmentId: number) => void
  /** What is released is no longer what the ledger says. */
  askForLedger: (assignmentId: number) => Promise<void>
}

/**
 * Sends what a platform is due, some at a time, until nothing is, the platform fails again and again, or its turn is over.
 * What is left stays in the ledger for the next turn.
 */
export async function sendScores(platformId: number, sending: Sending): Promise<void> {
  const now = sending.services.clock.now()
  const platform = await LtiPlatformModel.findById(platformId, { status: 1 }).lean()
  const resting = await restOf(platformId)
  if (platform?.status !== 'active' || isResting(resting, now)) return
  const run = new SendRun(platformId, resting !== null, sending)
  // After a rest one goes ahead.
  await run.work(true)
  const workers = Array.from({ length: AT_ONCE }, () => run.work())
  // All of them come to an end before the first failure is told: what they hold is theirs until then.
  for (const worker of await Promise.allSettled(workers))
    if (worker.status === 'rejected') throw worker.reason
}

class SendRun {
  readonly #platformId: number
  readonly #sending: Sending
  readonly #ags: Ags
  readonly #until = performance.now() + SLICE_MS
  readonly #atWork = new Set<string>()
  /** Links with nothing more to send in this turn. */
  readonly #closed = new Set<number>()
  readonly #targets = new Map<number, Promise<Target | null>>()
  readonly #columns: Columns
  #queue: LtiScoreDoc[] = []
  #fetching: Promise<void> | null = null
  /** True after a rest, until the platform has answered. */
  #trying: boolean
  #failures = 0
  #over = false

  constructor(platformId: number, trying: boolean, sending: Sending) {
    this.#platformId = platformId
    this.#trying = trying
    this.#sending = sending
    this.#ags = { ...sending.services, signal: sending.signal }
    this.#columns = new Columns(this.#ags)
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
    this.#fetching ??= dueRows(this.#platformId, this.#now, FETCH)
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
      await letGo(row, LEDGER_MS, this.#now)
      return this.#sending.askForLedger(row.assignment_id)
    }
    if (target.held !== null)
      return this.#close(target, { state: 'waiting', code: 'held', message: target.held, waitMs: HELD_MS })
    const column = await this.#columnOf(target, row)
    if (!column) return
    const failed = await sendOne(row, {
      target,
      column,
      ags: this.#ags,
      anotherColumn: (gone) =>
        this.#columns.instead(target, gone).catch((error: unknown) => {
          if (error instanceof NoColumn) return this.#noColumn(target, error)
          throw error
        }),
    })
    await this.#note(failed)
    this.#sending.tell(row.assignment_id)
  }

  #targetOf(link: number): Promise<Target | null> {
    const known = this.#targets.get(link) ?? targetOfLink(link)
    this.#targets.set(link, known)
    return known
  }

  /** Null where the link has none just now, or for good; then its rows know why. */
  async #columnOf(target: Target, row: LtiScoreDoc): Promise<Column | null> {
    const { _id: link } = target.link
    try {
      return await this.#columns.of(target)
    } catch (error) {
      if (error instanceof NoColumn) return this.#noColumn(target, error)
      if (!(error instanceof TryLater)) throw error
      if (!this.#closed.has(link)) await this.#note(error)
      const waitMs = waitAfter(row.attempts, error.waitMs)
      await this.#close(target, { state: 'waiting', code: 'later', message: error.message, waitMs })
      return null
    }
  }

  async #noColumn(target: Target, { message }: NoColumn): Promise<null> {
    await this.#close(target, { state: 'refused', code: 'no_line_item', message, waitMs: 0 })
    return null
  }

  async #close(target: Target, set: Parameters<typeof setWaiting>[1]): Promise<void> {
    const { _id: link, assignment_id } = target.link
    if (this.#closed.has(link)) return
    this.#closed.add(link)
    await setWaiting(link, set, this.#now)
    if (assignment_id !== null) this.#sending.tell(assignment_id)
  }

  /** A platform that fails for everybody, or many times in a row, is left alone for a while. */
  async #note(failed: TryLater | null): Promise<void> {
    if (!failed) {
      this.#failures = 0
      if (this.#trying) {
        this.#trying = false
        await endRest(this.#platformId, this.#now)
      }
      return
    }
    this.#failures++
    if (this.#over || !(failed.everybody || this.#trying || this.#failures >= ENOUGH_FAILURES)) return
    this.#over = true
    await rest(this.#platformId, { problem: failed.message, waitMs: failed.waitMs }, this.#now)
  }
}
