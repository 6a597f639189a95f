import type { RosterReport } from '@assay/shared/lti/lti.ts'
import { type LtiContextDoc, LtiContextModel, type RosterSync } from '../../../records/lti/context.model.ts'
import type { Services } from '../../../services.ts'
import { importPage, type RunningSync } from './import-page.ts'
import { firstPageUrl, firstPageUrlsByLink } from './nrps/first-page-urls.ts'
import { RosterError, toRosterError } from './nrps/roster-error.ts'
import { nextPosition, type RosterPageReader, type RosterPages } from './nrps/roster-page-reader.ts'
import { addPageToReport, runningSyncFilter } from './sync-report.ts'

/** Canvas has at most 50 people on a page. */
const MAX_PEOPLE = 100_000
const MAX_PAGES = MAX_PEOPLE / 50
/** In a row, before a list counts as endless. After a crash pages are read twice. */
const MAX_PAGES_WITHOUT_NEW_PEOPLE = 3

const notFoundStatuses = new Set([400, 404, 410, 422])

export function newRosterSync(context: LtiContextDoc, startedAt: Date, acceptShortList: boolean): RosterSync {
  const next = context.memberships_url === null ? null : firstPageUrl(context.memberships_url)
  const list = { next, page: 1, later: [], by_link: false }
  return { started_at: startedAt, ...list, pages_without_new: 0, restarts: 0, accept_short_list: acceptShortList }
}

/** Stores the position, so that a crash costs only these pages. @throws {RosterError} naming the page */
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
  const fallback = problem instanceof RosterError ? await findFallback(at, read.position, problem) : null
  if (!fallback) throw problem
  const began = { ...report, listed: 0, unreadable: 0, notes: fallback.by_link ? [BY_LINK_NOTE] : [] }
  await storeProgress(at, fallback, began)
}

const BY_LINK_NOTE =
  'The LMS lists people per link only, so people listed as inactive are suspended, but not those who are missing.'

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
  const sync = { ...position, pages_without_new: met > 0 ? 0 : position.pages_without_new + 1 }
  await storeProgress(at, sync, report)
  rejectEndlessRoster(sync, report)
  return report
}

/** @throws {RosterError} for an endless list */
function rejectEndlessRoster({ next, page, pages_without_new }: RosterSync, { listed }: RosterReport): void {
  const endless = (words: string) => toRosterError(new RosterError(words), page)
  if (next !== null && pages_without_new >= MAX_PAGES_WITHOUT_NEW_PEOPLE)
    throw endless('its pages repeat the same people endlessly.')
  if (next !== null && page > MAX_PAGES)
    throw endless(`the list has more than ${MAX_PAGES.toLocaleString('en')} pages.`)
  if (listed > MAX_PEOPLE) throw endless(`the list has more than ${MAX_PEOPLE.toLocaleString('en')} people.`)
}

/** Where to continue when there is nothing at a URL; null without an alternative. */
async function findFallback(
  { context }: RunningSync,
  sync: RosterSync,
  { status }: RosterError,
): Promise<RosterSync | null> {
  if (!notFoundStatuses.has(status)) return null
  // A deleted link: go on with the others.
  if (sync.by_link && sync.page === 1 && sync.later.length > 0) return nextPosition(sync, null)
  if (sync.page === 1) {
    const [next, ...later] = sync.by_link ? [] : await firstPageUrlsByLink(context)
    return next === undefined ? null : { ...sync, next, later, by_link: true }
  }
  // URLs of later pages expire, and the sync may have been interrupted.
  if (sync.restarts > 0 || sync.by_link) return null
  return { ...newRosterSync(context, sync.started_at, sync.accept_short_list), restarts: sync.restarts + 1 }
}
