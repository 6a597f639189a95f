import type { InvitationLimit } from '@assay/shared/roster.ts'
import { InvitationCountModel } from '../../records/courses/invitation-count.model.ts'
import type { Services } from '../../services.ts'

const DAY_MS = 24 * 60 * 60 * 1000

type Needed = Pick<Services, 'settings' | 'clock'>

const countIdOf = (userId: number, now: Date) => `${userId}/${now.toISOString().slice(0, 10)}`

/** How many of `wanted` mails a teacher may still have sent today; these are counted. */
export async function takeInvitations(userId: number, wanted: number, { settings, clock }: Needed): Promise<number> {
  if (wanted === 0) return 0
  const now = clock.now()
  const most = await settings.limit('limit_invitations')()
  const _id = countIdOf(userId, now)
  const counted = await InvitationCountModel.findOneAndUpdate(
    { _id },
    { $inc: { sent: wanted }, $setOnInsert: { user_id: userId, expires_at: new Date(now.getTime() + 2 * DAY_MS) } },
    { upsert: true, returnDocument: 'after' },
  ).lean()
  const granted = Math.max(0, Math.min(wanted, most - (counted.sent - wanted)))
  // Of two at the same moment at the limit, one may get less than is left; never more.
  if (granted < wanted) await InvitationCountModel.updateOne({ _id }, { $inc: { sent: granted - wanted } })
  return granted
}

export async function invitationLimitOf(userId: number, { settings, clock }: Needed): Promise<InvitationLimit> {
  const per_day = await settings.limit('limit_invitations')()
  const counted = await InvitationCountModel.findById(countIdOf(userId, clock.now())).lean()
  return { per_day, left: Math.max(0, per_day - (counted?.sent ?? 0)) }
}
