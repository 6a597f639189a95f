import type { LmsCourse, SuspendedMember } from '@assay/shared/lti/lti-roster.ts'
import { compareNames } from '@assay/shared/rules/person-name.ts'
import type { LtiContextDoc } from '../../../records/lti/context.model.ts'
import { type LtiMemberDoc, LtiMemberModel } from '../../../records/lti/member.model.ts'
import { type LtiPlatformDoc, LtiPlatformModel } from '../../../records/lti/platform.model.ts'
import { usersById } from '../../users/user.service.ts'
import { findSyncBlocker } from './sync-blocker.ts'

export async function platformsOf(contexts: LtiContextDoc[]): Promise<Map<number, LtiPlatformDoc>> {
  const _id = { $in: contexts.map(({ platform_id }) => platform_id) }
  return new Map((await LtiPlatformModel.find({ _id }).lean()).map((platform) => [platform._id, platform]))
}

export async function presentLmsCourses(contexts: LtiContextDoc[]): Promise<LmsCourse[]> {
  const platforms = await platformsOf(contexts)
  return Promise.all(
    contexts.map(async (context): Promise<LmsCourse> => {
      const { _id, title, label, roster } = context
      const platform = platforms.get(context.platform_id) ?? null
      const count = (status: LtiMemberDoc['status']) =>
        LtiMemberModel.countDocuments({ context: _id, status, role: { $ne: null } })
      const [members, suspended] = await Promise.all([count('active'), count('suspended')])
      return {
        id: _id,
        platform: { name: platform?.name ?? 'LMS', lms: platform?.lms ?? 'other' },
        title,
        label,
        blocker: findSyncBlocker(context, platform),
        report: roster,
        members,
        suspended,
      }
    }),
  )
}

/** Members suspended in every LMS course of a course, by name. */
export async function listSuspendedIn(
  contexts: LtiContextDoc[],
  { skip, limit }: { skip: number; limit: number },
): Promise<{ members: SuspendedMember[]; total: number }> {
  const within = { context: { $in: contexts.map(({ _id }) => _id) }, role: { $ne: null } }
  const filter = { ...within, status: 'suspended' as const }
  const elsewhere =
    contexts.length > 1 ? await LtiMemberModel.distinct('user_id', { ...within, status: 'active' as const }) : []
  const shown = { ...filter, ...(elsewhere.length > 0 ? { user_id: { $nin: elsewhere } } : {}) }
  const members = await LtiMemberModel.find(shown).lean()
  const users = await usersById(members.map(({ user_id }) => user_id))
  const titles = new Map(contexts.map(({ _id, title, label }) => [_id, title ?? label ?? 'the LMS’s course']))
  const presented = members.flatMap((member) => presentSuspended(member, users, titles)).sort(compareNames)
  return { members: presented.slice(skip, skip + limit), total: presented.length }
}

function presentSuspended(
  { user_id, role, context, name, email, updated_at }: LtiMemberDoc,
  users: Awaited<ReturnType<typeof usersById>>,
  titles: Map<number, string>,
): SuspendedMember[] {
  const user = users.get(user_id)
  if (!user || !role) return []
  return [
    {
      user_id,
      username: user.username,
      full_name: user.full_name ?? name,
      email: user.email || (email ?? ''),
      role,
      lms_course: titles.get(context) ?? '',
      suspended_at: updated_at.toISOString(),
    },
  ]
}
