import type { RosterReport } from '@assay/shared/lti.ts'
import { type LtiContextDoc, LtiContextModel, type RosterSync } from '../../../records/lti/context.model.ts'
import type { Services } from '../../../services.ts'
import { firstPageUrl, firstPageUrlsByLink } from './first-page-urls.ts'
import { importPage, type RunningSync } from './import-page.ts'
import { RosterError, toRosterError } from './roster-error.ts'
import { nextPosition, type RosterPageReader, type RosterPages } from './roster-page-reader.ts'
import { addPageToReport, runningSyncFilter } from './sync-report.ts'

/** The longest roster taken. Canvas has 50 people on a page at most. */
const MAX_PEOPLE = 100_000
const MAX_PAGES = MAX_PEOPLE / 50
/** How often in a row nobody new may be named before a list counts as going in circles. After a kill pages come twice. */
const MAX_PAGES_WITHOUT_NEW_PEOPLE = 3

/** Ways an LMS says that there is nothing at an address. */
const notFoundStatuses = new Set([400, 404, 410, 422])

export function newRosterSync(context: LtiContextDoc, startedAt: Date, believe: boolean): RosterSync {
  const next = context.memberships_url === null ? null : firstPageUrl(context.memberships_url)
  const list = { next, page: 1, later: [], by_link: false }
  return { started_at: startedAt, ...list, fruitless: 0, restarts: 0, believe }
}

/**
 * Reads and takes in the next pages, and stores where to go on. A process that dies over it costs those pages.
 * @throws {RosterError} naming the page; those before it are stored
 */
export async function importNextPages(
  at: RunningSync,
  reader: RosterPageReader,
  services: Services,
  signal: AbortSignal,
): Promise<void> {
  const { sync, roster } = at.context
  if (!sync?.next || !roster) return
  const read = await reader.read(at.platform, sync)
  signal.throwIfAborted()
  const report = read.pages.length > 0 ? await importPages(at, roster, read, services, signal) : roster
  if (read.failure === null) return
  const problem = toRosterError(read.failure, read.position.page)
  const other = problem instanceof RosterError ? await findFallback(at, read.position, problem) : null
  if (!other) throw problem
  const began = { ...report, listed: 0, unreadable: 0, notes: other.by_link ? [BY_LINK_NOTE] : [] }
  await storeProgress(at, other, began)
}

const BY_LINK_NOTE =
  'The LMS lists people by link only, so nobody is suspended for not being listed, but for being called inactive.'

const storeProgress = ({ context, startedAt }: RunningSync, sync: RosterSync, roster: RosterReport) =>
  LtiContextModel.updateOne(runningSyncFilter(context._id, startedAt), { $set: { sync, roster } })

async function importPages(
  at: RunningSync,
  roster: RosterReport,
  { pages, position }: RosterPages,
  services: Services,
  signal: AbortSignal,
): Promise<RosterReport> {
  const members = pages.flatMap((page) => page.members)
  const unreadable = pages.flatMap((page) => page.unreadable)
  const { met, outcomes } = await importPage(at, { members, unreadable }, services, signal)
  const report = addPageToReport(roster, { listed: members.length + unreadable.length, outcomes, unreadable })
  const sync = { ...position, fruitless: met > 0 ? 0 : position.fruitless + 1 }
  await storeProgress(at, sync, report)
  rejectEndlessRoster(sync, report)
  return report
}

/** @throws {RosterError} for a list that has no end */
function rejectEndlessRoster({ next, page, fruitless }: RosterSync, { listed }: RosterReport): void {
  const endless = (words: string) => toRosterError(new RosterError(words), page)
  if (next !== null && fruitless >= MAX_PAGES_WITHOUT_NEW_PEOPLE)
    throw endless('the list goes in circles, its pages name the same people again and again.')
  if (next !== null && page > MAX_PAGES)
    throw endless(`the list has more than ${MAX_PAGES.toLocaleString('en')} pages.`)
  if (listed > MAX_PEOPLE) throw endless(`the list has more than ${MAX_PEOPLE.toLocaleString('en')} people.`)
}

/** Where else to go when there is nothing at an address; null where there is no other way. */
async function findFallback(
  { context }: RunningSync,
  sync: RosterSync,
  { status }: RosterError,
): Promise<RosterSync | null> {
  if (!notFoundStatuses.has(status)) return null
  // A link that was deleted: the others are left.
  if (sync.by_link && sync.page === 1 && sync.later.length > 0) return nextPosition(sync, null)
  if (sync.page === 1) {
    const [next, ...later] = sync.by_link ? [] : await firstPageUrlsByLink(context)
    return next === undefined ? null : { ...sync, next, later, by_link: true }
  }
  // The address of a later page holds for a while only, and a sync may have been broken off before it.
  if (sync.restarts > 0 || sync.by_link) return null
  return { ...newRosterSync(context, sync.started_at, sync.believe), restarts: sync.restarts + 1 }
}
