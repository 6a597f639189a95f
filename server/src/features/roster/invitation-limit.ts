import type { InvitationLimit } from '@assay/shared/roster.ts'
import { InvitationCountModel } from '../../records/courses/invitation-count.model.ts'
import { LtiIdentityModel } from '../../records/lti/identity.model.ts'
import type { Services } from '../../services.ts'
import { usersById } from '../users/user.service.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** For a teacher with an unconfirmed address: a stranger may make any number of such accounts. */
const MOST_WHILE_UNCONFIRMED = 20
/** Students added silently are no mail flood, but each takes a row, so their daily limit is this many times higher. */
const SILENT_PER_INVITATION = 10
/** An LMS can name any number of teachers, so all of them together have this many times one's limit. */
const TEACHERS_PER_LMS = 10

/** `mailed`: a mail to a student, with or without a new account; `silent`: a student is added and not mailed. */
export type AdditionKind = 'mailed' | 'silent'

type Needed = Pick<Services, 'settings' | 'clock'>

interface DailyCount {
  _id: string
  /** Null for an LMS's count. */
  user_id: number | null
  most: number
}

async function countsOf(
  userId: number,
  { settings, clock }: Needed,
  kind: AdditionKind = 'mailed',
): Promise<{ counts: [DailyCount, ...DailyCount[]]; unconfirmed: boolean }> {
  const [limit, { smtp_url }, users, issuers] = await Promise.all([
    settings.limit('limit_invitations')(),
    settings.current(),
    usersById([userId]),
    LtiIdentityModel.distinct('issuer', { user_id: userId }),
  ])
  const silent = kind === 'silent'
  const day = `${clock.now().toISOString().slice(0, 10)}${silent ? '/silent' : ''}`
  const times = silent ? SILENT_PER_INVITATION : 1
  const user = users.get(userId)
  // Without a mail server nobody can confirm an address, and nobody is mailed. An LMS knows who its people are.
  const unconfirmed =
    smtp_url !== null && user?.role === 'instructor' && user.email_verified_at == null && user.from_lms !== true
  const own = {
    _id: `${userId}/${day}`,
    user_id: userId,
    most: times * (unconfirmed ? Math.min(limit, MOST_WHILE_UNCONFIRMED) : limit),
  }
  const most = times * limit * TEACHERS_PER_LMS
  const lms = issuers.map((issuer) => ({ _id: `lms ${issuer}/${day}`, user_id: null, most }))
  return { counts: [own, ...lms], unconfirmed }
}

async function take({ _id, user_id, most }: DailyCount, wanted: number, now: Date): Promise<number> {
  const counted = await InvitationCountModel.findOneAndUpdate(
    { _id },
    { $inc: { sent: wanted }, $setOnInsert: { user_id, expires_at: new Date(now.getTime() + 2 * DAY_MS) } },
    { upsert: true, returnDocument: 'after' },
  ).lean()
  const granted = Math.max(0, Math.min(wanted, most - (counted.sent - wanted)))
  // Of two at the same moment at the limit, one may get less than is left; never more.
  await giveBack(_id, wanted - granted)
  return granted
}

async function giveBack(_id: string, count: number): Promise<void> {
  if (count > 0) await InvitationCountModel.updateOne({ _id }, { $inc: { sent: -count } })
}

/** How many of `wanted` mails, or accounts without one, are still allowed today; counts these. */
export async function takeInvitations(
  userId: number,
  wanted: number,
  services: Needed,
  kind: AdditionKind = 'mailed',
): Promise<number> {
  if (wanted === 0) return 0
  const { counts } = await countsOf(userId, services, kind)
  const taken: DailyCount[] = []
  let granted = wanted
  for (const count of counts) {
    const now = await take(count, granted, services.clock.now())
    for (const { _id } of taken) await giveBack(_id, granted - now)
    taken.push(count)
    granted = now
  }
  return granted
}

export async function invitationLimitOf(
  userId: number,
  services: Needed,
  kind: AdditionKind = 'mailed',
): Promise<InvitationLimit> {
  const { counts, unconfirmed } = await countsOf(userId, services, kind)
  const rows = await InvitationCountModel.find({ _id: { $in: counts.map(({ _id }) => _id) } }).lean()
  const sent = new Map(rows.map((row) => [row._id, row.sent]))
  const left = Math.min(...counts.map(({ _id, most }) => most - (sent.get(_id) ?? 0)))
  return { per_day: counts[0].most, left: Math.max(0, left), ...(unconfirmed ? { unconfirmed } : {}) }
}

export const limitReached = ({ per_day, unconfirmed }: InvitationLimit, kind: AdditionKind = 'mailed'): string => {
  const what = kind === 'mailed' ? `send ${per_day} invitations` : `add ${per_day} students without an email`
  return unconfirmed
    ? `you can ${what} a day until you have confirmed your own email address. Confirm it in your profile, or try again tomorrow.`
    : `you can ${what} a day. Try again tomorrow, or ask your administrator for a higher limit.`
}
