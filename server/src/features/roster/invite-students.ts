import type { CourseStudent } from '@assay/shared/courses.ts'
import type { InvitationLimit } from '@assay/shared/roster.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { nextIds } from '../../lib/database/database.ts'
import type { Actor } from '../../lib/http/handle.ts'
import { only } from '../../lib/only.ts'
import type { CourseDoc } from '../../records/courses/course.model.ts'
import { InvitationCountModel } from '../../records/courses/invitation-count.model.ts'
import { LtiIdentityModel } from '../../records/lti/identity.model.ts'
import type { UserDoc } from '../../records/people/user.model.ts'
import type { Services } from '../../services.ts'
import { findFullMailboxes, type LinkMail, queueLinkMails } from '../auth/link-mail.ts'
import { findFreeUsernames, usernameFromEmail } from '../users/account.service.ts'
import {
  insertUsers,
  type NewUser,
  newUserDoc,
  normalizeLogin,
  usersByEmail,
  usersById,
} from '../users/user.service.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** For a teacher with an unconfirmed address: a stranger may make any number of such accounts. */
const MOST_WHILE_UNCONFIRMED = 20
/** Silent additions are no mail flood, but take a row each: their daily limit is this many times higher. */
const SILENT_PER_INVITATION = 10
/** All teachers of an LMS together have this many times one's limit, as it can name any number. */
const TEACHERS_PER_LMS = 10

type AdditionKind = 'mailed' | 'silent'

type Needed = Pick<Services, 'settings' | 'clock'>

interface DailyCount {
  _id: string
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
  // Without a mail server nobody can confirm an address. An LMS knows who its people are.
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
  // Of two at once at the limit, one may get less than is left; never more.
  await giveBack(_id, wanted - granted)
  return granted
}

async function giveBack(_id: string, count: number): Promise<void> {
  if (count > 0) await InvitationCountModel.updateOne({ _id }, { $inc: { sent: -count } })
}

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

/** `created`, `invited`: unusable until the owner follows the mailed link. `unconfirmed`: not enrolled, but pending. */
type InviteOutcome = 'enrolled_account' | 'created' | 'invited' | 'unconfirmed' | 'not_a_student'

type InviteServices = Pick<Services, 'jobs' | 'clock' | 'settings'>

interface Invitation {
  email: string
  full_name?: string | null
}

interface InvitationContext {
  invitedBy: Pick<Actor, 'id'>
  course: CourseDoc
  mail?: boolean
}

export interface InvitedUser {
  user: UserDoc
  outcome: InviteOutcome
  /** False when the address was mailed often today, or nobody is to be mailed. */
  mailed: boolean
}

export interface OverLimit {
  user: UserDoc | null
  outcome: 'over_limit'
  mailed: false
}

export async function inviteStudent(
  { email, full_name, ...by }: Invitation & InvitationContext,
  services: InviteServices,
): Promise<InvitedUser | OverLimit> {
  return only(await inviteStudents([{ email, full_name }], by, services))
}

/** The caller enrols them. Idempotent; few writes, as a roster may have thousands. Addresses are unique. */
export async function inviteStudents(
  invitations: Invitation[],
  { invitedBy, course, mail = true }: InvitationContext,
  services: InviteServices,
): Promise<(InvitedUser | OverLimit)[]> {
  const now = services.clock.now()
  const known = await usersByEmail(invitations.map(({ email }) => email))
  const ids = [...known.values()].map(({ _id }) => _id)
  const full = await findFullMailboxes(ids, now)
  const counted = invitations.filter(({ email }) => {
    const user = known.get(normalizeLogin(email))
    if (!user) return true
    const outcome = inviteOutcomeFor(user)
    // Silent additions count, even with an account.
    return mail ? !full.has(user._id) && needsLink(outcome) : outcome !== 'not_a_student'
  })
  const granted = await takeInvitations(invitedBy.id, counted.length, services, mail ? 'mailed' : 'silent')
  const overLimit = new Set(counted.slice(granted))
  const missing = invitations.filter((one) => !known.has(normalizeLogin(one.email)) && !overLimit.has(one))
  // Owners may change the usernames, which come from the addresses.
  const accountOf = ({ email, full_name = null }: Invitation) => {
    return { username: usernameFromEmail(email), email, full_name }
  }
  const made = await createInvitedAccounts(missing, accountOf, now)
  const invited = invitations.map((one): InvitedUser | OverLimit => {
    const user = known.get(normalizeLogin(one.email))
    if (overLimit.has(one)) return { user: user ?? null, outcome: 'over_limit', mailed: false }
    const outcome = user && inviteOutcomeFor(user)
    if (outcome) return { user, outcome, mailed: mail && needsLink(outcome) && !full.has(user._id) }
    const created = made.get(one)
    if (!created) throw new Error('an account was neither found nor made')
    const state = created.ours ? 'created' : inviteOutcomeFor(created.user)
    return { user: created.user, outcome: state, mailed: mail && needsLink(state) }
  })
  const mails = invited.flatMap(({ user, outcome, mailed }): LinkMail[] => {
    if (!user || !mailed) return []
    const target = { userId: user._id, courseId: course._id }
    if (outcome === 'created' || outcome === 'invited')
      return [{ kind: 'invitation', ...target, invitedBy: invitedBy.id }]
    return outcome === 'unconfirmed' ? [{ kind: 'confirm', ...target }] : []
  })
  await queueLinkMails(mails, services)
  return invited
}

const needsLink = (outcome: InviteOutcome) => ['created', 'invited', 'unconfirmed'].includes(outcome)

function inviteOutcomeFor(user: UserDoc): InviteOutcome {
  if (user.role !== 'student') return 'not_a_student'
  if (user.account === 'invited') return 'invited'
  // A deactivated account may be enrolled: only an administrator can reactivate it.
  return user.email_verified_at == null ? 'unconfirmed' : 'enrolled_account'
}

/** `username` as wanted: where it is taken, another like it. */
type NewAccount = Pick<NewUser, 'username' | 'email' | 'full_name' | 'student_number'> & { more?: Partial<UserDoc> }

const MAX_ROUNDS = 20

/** Without a password, until somebody claims them. `ours`: no other process was first. */
export async function createInvitedAccounts<T>(wanted: T[], accountOf: (one: T) => NewAccount, now: Date) {
  const made = new Map<T, { user: UserDoc; ours: boolean }>()
  let missing = wanted
  for (let round = 0; missing.length > 0; round++) {
    if (round === MAX_ROUNDS) throw new Error(`${missing.length} accounts found no free username`)
    const accounts = missing.map(accountOf)
    const names = await findFreeUsernames(accounts.map(({ username }) => username))
    const first = await nextIds('users', missing.length)
    const docs = accounts.map(({ more, ...account }, i): UserDoc => {
      const unclaimed = { role: 'student', password_hash: null, account: 'invited' } as const
      return {
        ...newUserDoc(first + i, { ...account, username: names[i] ?? account.username, ...unclaimed }, now),
        ...more,
      }
    })
    // A name or address taken meanwhile is tried again below.
    await insertUsers(docs)
    const stored = await usersByEmail(docs.map(({ email_key }) => email_key))
    for (const [i, one] of missing.entries()) {
      const user = stored.get(docs[i]?.email_key ?? '')
      if (user) made.set(one, { user, ours: user._id === first + i })
    }
    missing = missing.filter((one) => !made.has(one))
  }
  return made
}

export async function resendInvitation(
  course: CourseDoc,
  { id, email, state, never_invited }: CourseStudent,
  actor: Actor,
  services: Services,
): Promise<{ success: boolean; message: string }> {
  if (!email) {
    const message = 'This student has no email address. Add the student with the address and the same student number.'
    return { success: false, message }
  }
  const nothing = { success: false, message: `${email} already uses their account and needs no invitation.` }
  if (state === 'enrolled') return nothing
  const { outcome, mailed } = await inviteStudent({ email, invitedBy: actor, course }, services)
  if (outcome === 'enrolled_account' || outcome === 'not_a_student') return nothing
  if (outcome === 'over_limit') {
    const message = `No invitation was sent: ${limitReached(await invitationLimitOf(actor.id, services))}`
    return { success: false, message }
  }
  if (!mailed) {
    const message = `${email} was sent five emails today. The links in them still work; try again tomorrow.`
    return { success: false, message }
  }
  const subject = { course_id: course._id, user_id: id }
  const action = never_invited ? 'student.invited' : 'student.invited_again'
  await recordAudit(actor, action, subject, services.clock.now())
  const message =
    state === 'waiting'
      ? `The link to confirm the address was sent to ${email} again.`
      : `The invitation was sent to ${email}${never_invited ? '' : ' again'}.`
  return { success: true, message }
}
