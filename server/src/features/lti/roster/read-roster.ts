import type { RosterReport } from '@assay/shared/lti.ts'
import type { Services } from '../../../services.ts'
import { type LtiContextDoc, LtiContextModel, type RosterSync } from '../launches/context.model.ts'
import { firstPage, firstPagesByLink } from './first-pages.ts'
import { following, type PageReader, type PagesRead } from './page-reader.ts'
import { asRosterProblem, RosterProblem } from './roster-problem.ts'
import { whileRunning, withPage } from './sync-report.ts'
import { type SyncAtHand, takeInPage } from './take-in-page.ts'

/** The longest roster taken. Canvas has 50 people on a page at most. */
const MOST_PEOPLE = 100_000
const MOST_PAGES = MOST_PEOPLE / 50
/** How often in a row nobody new may be named before a list counts as going in circles. After a kill pages come twice. */
const MOST_FRUITLESS = 3

/** Ways an LMS says that there is nothing at an address. */
const nothingThere = new Set([400, 404, 410, 422])

export function syncFrom(context: LtiContextDoc, startedAt: Date, believe: boolean): RosterSync {
  const next = context.memberships_url === null ? null : firstPage(context.memberships_url)
  const list = { next, page: 1, later: [], by_link: false }
  return { started_at: startedAt, ...list, fruitless: 0, restarts: 0, believe }
}

/**
 * Reads and takes in the next pages, and stores where to go on. A process that dies over it costs those pages.
 * @throws {RosterProblem} naming the page; those before it are stored
 */
export async function readNextPages(
  at: SyncAtHand,
  reader: PageReader,
  services: Services,
  signal: AbortSignal,
): Promise<void> {
  const { sync, roster } = at.context
  if (!sync?.next || !roster) return
  const read = await reader.read(at.platform, sync)
  signal.throwIfAborted()
  const report = read.pages.length > 0 ? await takeIn(at, roster, read, services, signal) : roster
  if (read.failure === null) return
  const problem = asRosterProblem(read.failure, read.to.page)
  const other = problem instanceof RosterProblem ? await otherWay(at, read.to, problem) : null
  if (!other) throw problem
  const began = { ...report, listed: 0, unreadable: 0, notes: other.by_link ? [BY_LINK] : [] }
  await store(at, other, began)
}

const BY_LINK =
  'The LMS lists people by link only, so nobody is suspended for not being listed, but for being called inactive.'

const store = ({ context, startedAt }: SyncAtHand, sync: RosterSync, roster: RosterReport) =>
  LtiContextModel.updateOne(whileRunning(context._id, startedAt), { $set: { sync, roster } })

async function takeIn(
  at: SyncAtHand,
  roster: RosterReport,
  { pages, to }: PagesRead,
  services: Services,
  signal: AbortSignal,
): Promise<RosterReport> {
  const members = pages.flatMap((page) => page.members)
  const unreadable = pages.flatMap((page) => page.unreadable)
  const { met, outcomes } = await takeInPage(at, { members, unreadable }, services, signal)
  const report = withPage(roster, { listed: members.length + unreadable.length, outcomes, unreadable })
  const sync = { ...to, fruitless: met > 0 ? 0 : to.fruitless + 1 }
  await store(at, sync, report)
  refuseEndless(sync, report)
  return report
}

/** @throws {RosterProblem} for a list that has no end */
function refuseEndless({ next, page, fruitless }: RosterSync, { listed }: RosterReport): void {
  const endless = (words: string) => asRosterProblem(new RosterProblem(words), page)
  if (next !== null && fruitless >= MOST_FRUITLESS)
    throw endless('the list goes in circles, its pages name the same people again and again.')
  if (next !== null && page > MOST_PAGES)
    throw endless(`the list has more than ${MOST_PAGES.toLocaleString('en')} pages.`)
  if (listed > MOST_PEOPLE)
    throw endless(`the list has more than ${MOST_PEOPLE.toLocaleString('en')} people.`)
}

/** Where else to go when there is nothing at an address; null where there is no other way. */
async function otherWay(
  { context }: SyncAtHand,
  sync: RosterSync,
  { status }: RosterProblem,
): Promise<RosterSync | null> {
  if (!nothingThere.has(status)) return null
  // A link that was deleted: the others are left.
  if (sync.by_link && sync.page === 1 && sync.later.length > 0) return following(sync, null)
  if (sync.page === 1) {
    const [next, ...later] = sync.by_link ? [] : await firstPagesByLink(context)
    return next === undefined ? null : { ...sync, next, later, by_link: true }
  }
  // The address of a later page holds for a while only, and a sync may have been broken off before it.
  if (sync.restarts > 0 || sync.by_link) return null
  return { ...syncFrom(context, sync.started_at, sync.believe), restarts: sync.restarts + 1 }
}
