import type { RosterReport } from '@assay/shared/lti/lti.ts'
import { LMS_ACTOR } from '../../../audit/audit.service.ts'
import { batchesOf } from '../../../lib/batches.ts'
import { type LtiContextDoc, LtiContextModel, type RosterSync } from '../../../records/lti/context.model.ts'
import { type LtiMemberDoc, LtiMemberModel, type SyncOutcome } from '../../../records/lti/member.model.ts'
import type { LtiPlatformDoc } from '../../../records/lti/platform.model.ts'
import type { Services } from '../../../services.ts'
import { findOrCreateLmsAccounts } from '../accounts/lms-account.service.ts'
import { reconcileEnrolments } from '../contexts/member.service.ts'
import { type ListedMember, RosterError, toRosterError } from './nrps/parse-members-page.ts'
import {
  firstPageUrl,
  firstPageUrlsByLink,
  nextPosition,
  type RosterPageReader,
  type RosterPages,
} from './nrps/roster-page-reader.ts'
import { addPageToReport, runningSyncFilter } from './sync-report.ts'

export interface RunningSync {
  context: LtiContextDoc & { course_id: number }
  platform: LtiPlatformDoc
  startedAt: Date
}

const BATCH_SIZE = 500

const memberIdFor = (at: RunningSync) => (sub: string) => `${at.context._id}/${sub}`

async function markInactive(at: RunningSync, members: ListedMember[]): Promise<void> {
  if (members.length === 0) return
  const _id = { $in: members.map(({ sub }) => sub).map(memberIdFor(at)) }
  await LtiMemberModel.updateMany({ _id }, { $set: { inactive_at: at.startedAt } })
}

async function markListed(at: RunningSync, subs: string[]): Promise<void> {
  if (subs.length === 0) return
  const filter = { _id: { $in: subs.map(memberIdFor(at)) }, status: 'active' as const }
  await LtiMemberModel.updateMany(
    { ...filter, synced_at: { $ne: at.startedAt } },
    { $set: { synced_at: at.startedAt, outcome: 'unchanged' } },
  )
}

async function importMembers(at: RunningSync, listed: ListedMember[], services: Pick<Services, 'clock'>) {
  const { context, platform, startedAt } = at
  const people = [...mergeDuplicates(listed).values()]
  const ids = people.map(({ sub }) => sub).map(memberIdFor(at))
  const before = new Map(
    (await LtiMemberModel.find({ _id: { $in: ids } }).lean()).map((member) => [member.sub, member]),
  )
  const now = services.clock.now()
  const accounts = await findOrCreateLmsAccounts(platform, people, now)
  const changes = people.map((person) => {
    const was = before.get(person.sub)
    const account = accounts.get(person.sub)
    if (!account) throw new Error('a listed member has no account')
    return { was, is: updatedMember(at, person, was, account.user._id, now) }
  })

  const same = changes.filter(
    ({ was, is }) => is.outcome === 'unchanged' && was?.user_id === is.user_id && (was.sis_id ?? null) === is.sis_id,
  )
  await LtiMemberModel.updateMany(
    { _id: { $in: same.map(({ is }) => is._id) } },
    { $set: { synced_at: startedAt, outcome: 'unchanged' } },
  )
  const stored = new Set(same)
  const others = changes.filter((one) => !stored.has(one))
  if (others.length > 0) {
    await LtiMemberModel.bulkWrite(
      others.map(({ is: { _id, ...fields } }) => ({
        updateOne: { filter: { _id }, update: { $set: fields }, upsert: true },
      })),
      { ordered: false },
    )
  }
  // Unchanged members too: a process may have died in between, or the member be from before docs/decisions/0017.
  const userIds = [...new Set(changes.flatMap(({ was, is }) => [is.user_id, was?.user_id ?? is.user_id]))]
  await reconcileEnrolments(context.course_id, userIds, LMS_ACTOR, now)
  const fresh = changes.filter(({ was }) => was?.synced_at?.getTime() !== startedAt.getTime())
  return { met: fresh.length, outcomes: fresh.flatMap(({ is }) => is.outcome ?? []) }
}

function mergeDuplicates(listed: ListedMember[]): Map<string, ListedMember> {
  const bySub = new Map<string, ListedMember>()
  for (const member of listed) {
    const other = bySub.get(member.sub)
    bySub.set(member.sub, other ? { ...member, role: strongerRole(member.role, other.role) } : member)
  }
  return bySub
}

type Role = ListedMember['role']
const strongerRole = (one: Role, other: Role): Role =>
  one === 'instructor' || other === 'instructor' ? 'instructor' : (one ?? other)

/** An LMS may stop sending names. */
function updatedMember(
  { context, startedAt }: RunningSync,
  person: ListedMember,
  was: LtiMemberDoc | undefined,
  user_id: number,
  now: Date,
): LtiMemberDoc {
  const again = was?.synced_at?.getTime() === startedAt.getTime()
  const is = {
    context: context._id,
    sub: person.sub,
    user_id,
    role: again ? strongerRole(person.role, was.role) : person.role,
    status: 'active' as const,
    name: person.name ?? was?.name ?? null,
    email: person.email ?? was?.email ?? null,
    sis_id: person.sis_id ?? was?.sis_id ?? null,
    test_user: person.test_user || (was?.test_user ?? false),
    synced_at: startedAt,
    updated_at: now,
  }
  const outcome = again ? (was.outcome ?? 'unchanged') : outcomeOf(was, is)
  return { _id: `${context._id}/${person.sub}`, ...is, outcome }
}

function outcomeOf(was: LtiMemberDoc | undefined, is: Pick<LtiMemberDoc, 'role' | 'name' | 'email'>): SyncOutcome {
  if (!was) return 'created'
  if (was.status === 'suspended') return 'returned'
  const same = was.role === is.role && was.name === is.name && was.email === is.email
  return same ? 'unchanged' : 'changed'
}

/** A Canvas page has at most 50. */
const MAX_PEOPLE = 100_000
const MAX_PAGES = MAX_PEOPLE / 50
/** After a crash pages are read twice, so a list is endless only after several. */
const MAX_PAGES_WITHOUT_NEW_PEOPLE = 3

const notFoundStatuses = new Set([400, 404, 410, 422])

export function newRosterSync(context: LtiContextDoc, startedAt: Date, acceptShortList: boolean): RosterSync {
  const next = context.memberships_url === null ? null : firstPageUrl(context.memberships_url)
  const list = { next, page: 1, later: [], by_link: false }
  return { started_at: startedAt, ...list, pages_without_new: 0, restarts: 0, accept_short_list: acceptShortList }
}

/** A crash costs only these pages. @throws {RosterError} naming the page */
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

/** Idempotent. Suspends nobody before the list is complete. */
async function importPages(
  at: RunningSync,
  roster: RosterReport,
  { pages, position }: RosterPages,
  services: Services,
  signal: AbortSignal,
): Promise<RosterReport> {
  const members = pages.flatMap((page) => page.members)
  const unreadable = pages.flatMap((page) => page.unreadable)
  const { inactive = [], present = [] } = Object.groupBy(members, (one) => (one.inactive ? 'inactive' : 'present'))
  await markInactive(at, inactive)
  // They are listed, even if the entry is otherwise wrong.
  const listed = unreadable.flatMap(({ sub }) => sub ?? [])
  await markListed(at, listed)
  const outcomes: SyncOutcome[] = []
  let newToSync = 0
  for (const batch of batchesOf(present, BATCH_SIZE)) {
    signal.throwIfAborted()
    const imported = await importMembers(at, batch, services)
    newToSync += imported.met
    outcomes.push(...imported.outcomes)
  }
  const report = addPageToReport(roster, { listed: members.length + unreadable.length, outcomes, unreadable })
  const sync = { ...position, pages_without_new: newToSync > 0 ? 0 : position.pages_without_new + 1 }
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

async function findFallback({ context }: RunningSync, sync: RosterSync, { status }: RosterError) {
  if (!notFoundStatuses.has(status)) return null
  // The link was deleted: go on with the others.
  if (sync.by_link && sync.page === 1 && sync.later.length > 0) return nextPosition(sync, null)
  if (sync.page === 1) {
    const [next, ...later] = sync.by_link ? [] : await firstPageUrlsByLink(context)
    return next === undefined ? null : { ...sync, next, later, by_link: true }
  }
  // Later pages' URLs expire.
  if (sync.restarts > 0 || sync.by_link) return null
  return { ...newRosterSync(context, sync.started_at, sync.accept_short_list), restarts: sync.restarts + 1 }
}
