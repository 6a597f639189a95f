import type { QueryFilter } from 'mongoose'
import { LMS_ACTOR } from '../../../audit/audit.service.ts'
import { type LtiMemberDoc, LtiMemberModel, type SyncOutcome } from '../../../records/lti/member.model.ts'
import type { Services } from '../../../services.ts'
import { reconcileEnrolments } from '../contexts/reconcile-enrolments.ts'
import type { RunningSync } from './import-page.ts'

/** A list with less than this share of the known members, of more than `SMALL_COURSE`, needs confirmation. */
const MIN_LISTED_RATIO = 0.2
const SMALL_COURSE = 10

const BATCH_SIZE = 500

/** Members that the complete list leaves out, or lists as inactive. */
function removedMembersFilter({ context, startedAt }: RunningSync): QueryFilter<LtiMemberDoc> {
  return {
    context: context._id,
    status: 'active',
    synced_at: { $ne: startedAt },
    // Not those who launched during the sync.
    updated_at: { $lt: startedAt },
    // Rosters leave out test students.
    test_user: { $ne: true },
    // Somebody without a role, such as an LMS administrator, has no enrolment to lose and is not in rosters.
    role: { $ne: null },
    // In lists per link somebody may be missing and still be in the course.
    ...(context.sync?.by_link ? { inactive_at: startedAt } : {}),
  }
}

/** How many would be suspended, and whether that is plausible. A course has at least its teacher, so an empty list never is. */
export async function countRemovedMembers(at: RunningSync): Promise<{ missing: number; doubtful: boolean }> {
  const { context, startedAt } = at
  const listed = { context: context._id, synced_at: startedAt, status: 'active' as const }
  const [missing, here, known] = await Promise.all([
    LtiMemberModel.countDocuments(removedMembersFilter(at)),
    LtiMemberModel.countDocuments(listed),
    LtiMemberModel.countDocuments({ ...listed, outcome: { $in: ['changed', 'unchanged'] } }),
  ])
  const before = missing + known
  const short = here === 0 || (before > SMALL_COURSE && here < MIN_LISTED_RATIO * before)
  return { missing, doubtful: missing > 0 && short }
}

/**
 * Suspends students who are missing: they lose the enrolment the LMS gave them, and nothing else. Who is active in another section of the same
 * course stays enrolled. Idempotent: it may run again after a kill.
 */
export async function suspendRemovedMembers(
  at: RunningSync,
  services: Pick<Services, 'clock'>,
  signal: AbortSignal,
): Promise<void> {
  const { context, startedAt } = at
  const now = services.clock.now()
  const suspended = { status: 'suspended', outcome: 'suspended', synced_at: startedAt } as const
  await LtiMemberModel.updateMany(removedMembersFilter(at), { $set: { ...suspended, updated_at: now } })
  const members = await LtiMemberModel.find({ context: context._id, ...suspended }, { user_id: 1 }).lean()
  for (let i = 0; i < members.length; i += BATCH_SIZE) {
    signal.throwIfAborted()
    const ids = members.slice(i, i + BATCH_SIZE).map(({ user_id }) => user_id)
    await reconcileEnrolments(context.course_id, ids, LMS_ACTOR, now)
  }
}

/** Members who were suspended before the sync, by their ids in the LMS. */
export function findReturnedMembers({ context, startedAt }: RunningSync): Promise<string[]> {
  return LtiMemberModel.distinct('sub', { context: context._id, synced_at: startedAt, outcome: 'returned' })
}

/** What a sync did to how many people. */
export async function countOutcomes({
  context,
  startedAt,
}: RunningSync): Promise<Partial<Record<SyncOutcome, number>>> {
  const rows = await LtiMemberModel.aggregate<{ _id: SyncOutcome | null; count: number }>([
    { $match: { context: context._id, synced_at: startedAt } },
    { $group: { _id: '$outcome', count: { $sum: 1 } } },
  ])
  return Object.fromEntries(rows.flatMap(({ _id, count }) => (_id ? [[_id, count]] : [])))
}
