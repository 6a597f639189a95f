import { markContextResultsDue, markContextScoresChanged } from '../../../records/lti/mark-scores-changed.ts'
import { type LtiMemberDoc, LtiMemberModel } from '../../../records/lti/member.model.ts'
import type { LmsPerson } from '../accounts/lms-account.service.ts'

/** A launch says as much about a member as a roster. @returns the ids of its account, now and before */
export async function upsertMember(context: number, person: LmsPerson, user_id: number, now: Date): Promise<number[]> {
  const { sub, role, name, email, test_user } = person
  const claimed: Partial<LtiMemberDoc> = {
    user_id,
    role,
    status: 'active',
    test_user,
    lesser_days: [],
    ...(name ? { name } : {}),
    ...(email ? { email } : {}),
    updated_at: now,
  }
  const missing = { ...(name ? {} : { name: null }), ...(email ? {} : { email: null }) }
  const before = await LtiMemberModel.findOneAndUpdate(
    { _id: `${context}/${sub}` },
    { $set: claimed, $setOnInsert: { context, sub, synced_at: null, ...missing } },
    { upsert: true, returnDocument: 'before' },
  ).lean()
  const unchanged =
    before?.status === 'active' && before.role === role && before.user_id === user_id && before.test_user === test_user
  // A grade may be waiting for a member who is new, or a student again.
  if (before?.status === 'suspended') await markContextResultsDue(context, [sub], now)
  else if (!unchanged) await markContextScoresChanged(context)
  return [...new Set([user_id, before?.user_id ?? user_id])]
}

export function membersOfUsers(
  userIds: number[],
): Promise<Pick<LtiMemberDoc, 'user_id' | 'name' | 'email' | 'sis_id'>[]> {
  return LtiMemberModel.find({ user_id: { $in: userIds } }, { user_id: 1, name: 1, email: 1, sis_id: 1 }).lean()
}
