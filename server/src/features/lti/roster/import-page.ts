import { LMS_ACTOR } from '../../../audit/audit.service.ts'
import type { LtiContextDoc } from '../../../records/lti/context.model.ts'
import { type LtiMemberDoc, LtiMemberModel, type SyncOutcome } from '../../../records/lti/member.model.ts'
import type { LtiPlatformDoc } from '../../../records/lti/platform.model.ts'
import type { Services } from '../../../services.ts'
import { findOrCreateLmsAccounts } from '../accounts/lms-account.service.ts'
import { reconcileEnrolments } from '../contexts/reconcile-enrolments.ts'
import type { ListedMember } from './nrps/parse-members-page.ts'

/** Identified by when it started. */
export interface RunningSync {
  context: LtiContextDoc & { course_id: number }
  platform: LtiPlatformDoc
  startedAt: Date
}

const BATCH_SIZE = 500

/** Idempotent. Suspends nobody, which waits for the complete list. @returns `met`: how many are new to this sync */
export async function importPage(
  at: RunningSync,
  { members, unreadable }: { members: ListedMember[]; unreadable: { sub: string | null }[] },
  services: Pick<Services, 'clock'>,
  signal: AbortSignal,
): Promise<{ met: number; outcomes: SyncOutcome[] }> {
  const changes = { met: 0, outcomes: [] as SyncOutcome[] }
  await markInactive(
    at,
    members.filter(({ inactive }) => inactive),
  )
  // They are listed, even if the entry is otherwise wrong.
  await markListed(
    at,
    unreadable.flatMap(({ sub }) => sub ?? []),
  )
  const present = members.filter(({ inactive }) => !inactive)
  for (let i = 0; i < present.length; i += BATCH_SIZE) {
    signal.throwIfAborted()
    const batch = await importMembers(at, present.slice(i, i + BATCH_SIZE), services)
    changes.met += batch.met
    changes.outcomes.push(...batch.outcomes)
  }
  return changes
}

const memberIdFor = ({ context }: RunningSync) => {
  return (sub: string) => `${context._id}/${sub}`
}

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
  const accounts = await findOrCreateLmsAccounts(platform, people, services)
  const now = services.clock.now()
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
  // Unchanged members too: a process may have died in between, or they were stored before the LMS's people were told
  // apart from another's (docs/decisions/0017).
  const userIds = [...new Set(changes.flatMap(({ was, is }) => [is.user_id, was?.user_id ?? is.user_id]))]
  await reconcileEnrolments(context.course_id, userIds, LMS_ACTOR, now)
  const fresh = changes.filter(({ was }) => was?.synced_at?.getTime() !== startedAt.getTime())
  return { met: fresh.length, outcomes: fresh.flatMap(({ is }) => is.outcome ?? []) }
}

/** Somebody listed twice on a page has the stronger role. */
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

/** What the LMS leaves out stays unchanged: it may stop sending names. */
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
