import type { RosterEntry } from '@assay/shared/roster.ts'
import type { Actor } from '../../lib/http/handle.ts'
import type { CourseDoc } from '../../records/courses/course.model.ts'
import type { UserDoc } from '../../records/people/user.model.ts'
import type { Services } from '../../services.ts'
import { addEnrollments, markAddedByTeacher } from '../courses/enrollment.service.ts'
import { findEnrolledIds } from '../courses/enrollment-queries.ts'
import { addPendingEnrollments, findPendingIds } from '../courses/pending-enrollments.ts'
import { normalizeLogin, usersByEmail } from '../users/user.service.ts'
import { invitationLimitOf, limitReached, takeInvitations } from './invitation-limit.ts'
import { type InvitedUser, inviteStudents } from './invite-students.ts'

/** What happens with one student a teacher named. */
export interface RosterAddition {
  entry: RosterEntry
  /**
   * `pending`: a pending enrolment is added. `already_enrolled`, `already_pending`: no change. `refused`: nothing is done.
   */
  outcome: 'enrolled' | 'invited' | 'pending' | 'already_enrolled' | 'already_pending' | 'refused'
  message: string
  created_user: boolean
  /** Null where it is refused before there is an account. */
  user: UserDoc | null
  /** Whether they are mailed. */
  mailed: boolean
}

/** Whether an account belongs to the owner of its address: confirmed by them, or not claimed by anybody yet. */
const isOwnedByAddress = (user: UserDoc) => user.email_verified_at != null || user.account === 'invited'

/**
 * Finds the account for each address and decides what to do with it; missing accounts are created and invited. Enrolments
 * change only in `applyRosterAdditions`, so that audit entries and mails can be stored before.
 */
export async function resolveRosterEntries(
  course: CourseDoc,
  entries: RosterEntry[],
  actor: Pick<Actor, 'id'>,
  services: Pick<Services, 'jobs' | 'clock' | 'settings'>,
): Promise<RosterAddition[]> {
  const users = await usersByEmail(entries.map(({ email }) => email))
  const ids = [...users.values()].map(({ _id }) => _id)
  const [enrolled, waiting] = await Promise.all([findEnrolledIds(course._id, ids), findPendingIds(course._id, ids)])
  const knownAs = ({ email }: RosterEntry) => {
    const user = users.get(normalizeLogin(email))
    return user && isOwnedByAddress(user) && enrolled.has(user._id) ? user : null
  }
  // Before anybody is mailed: the same file sent again, or a job that is retried, invites nobody twice.
  const unknown = entries.filter((entry) => !knownAs(entry))
  const invited = await inviteStudents(unknown, { invitedBy: actor, course }, services)
  const byEntry = new Map(unknown.map((entry, i) => [entry, invited[i]]))
  const limit = await invitationLimitOf(actor.id, services)
  const noticed = invited.filter(({ outcome }) => outcome === 'enrolled_account')
  const notices = new Set(noticed.slice(0, await takeInvitations(actor.id, noticed.length, services)))
  return entries.map((entry) => {
    const user = knownAs(entry)
    if (user) return existingStudent(entry, user)
    const found = byEntry.get(entry)
    if (!found) throw new Error('each invitation has an answer')
    if (found.outcome === 'over_limit') return overLimit(entry, found.user, limitReached(limit))
    return newAddition(entry, { ...found, mailed: found.mailed || notices.has(found) }, waiting.has(found.user._id))
  })
}

function existingStudent(entry: RosterEntry, user: UserDoc): RosterAddition {
  const message = `${entry.email} is already enrolled in this course.`
  return { entry, outcome: 'already_enrolled', message, created_user: false, user, mailed: false }
}

function overLimit(entry: RosterEntry, user: UserDoc | null, why: string): RosterAddition {
  const message = `${entry.email} was not added: ${why}`
  return { entry, outcome: 'refused', message, created_user: false, user, mailed: false }
}

function newAddition(entry: RosterEntry, { user, outcome, mailed }: InvitedUser, isPending: boolean): RosterAddition {
  const { email } = entry
  const common = { entry, created_user: outcome === 'created', user, mailed }
  if (outcome === 'not_a_student') {
    const message = `${email} belongs to an account that is not a student account and cannot be enrolled.`
    return { ...common, outcome: 'refused', message }
  }
  if (outcome === 'unconfirmed') {
    const message = `${email} has an account with an unconfirmed address. The enrollment is pending until its owner follows the link we emailed.`
    return { ...common, outcome: isPending ? 'already_pending' : 'pending', message }
  }
  if (outcome === 'enrolled_account') {
    const silent = 'No email was sent: your limit for today is reached.'
    const message = mailed ? `${email} was enrolled.` : `${email} was enrolled. ${silent}`
    return { ...common, outcome: 'enrolled', message }
  }
  const message = mailed
    ? `${email} was enrolled and invited by email.`
    : `${email} was enrolled. They were sent five emails today, whose links still work, and get no other.`
  return { ...common, outcome: 'invited', message }
}

/** Adds the enrolments and pending enrolments. Idempotent. */
export async function applyRosterAdditions(
  course: CourseDoc,
  added: RosterAddition[],
  actor: Pick<Actor, 'id'>,
  now: Date,
): Promise<void> {
  const withOutcome = (...outcomes: RosterAddition['outcome'][]) =>
    added
      .filter(({ outcome }) => outcomes.includes(outcome))
      .flatMap(({ user, entry: { email, external_user_id, sis_user_id } }) =>
        user ? [{ email, person: { user_id: user._id, external_user_id, sis_user_id } }] : [],
      )
  await markAddedByTeacher(
    course._id,
    withOutcome('already_enrolled').map(({ person }) => person),
  )
  await addEnrollments(
    course._id,
    withOutcome('enrolled', 'invited').map(({ person }) => ({ ...person, added_by: 'teacher' as const })),
    now,
  )
  const pending = withOutcome('pending', 'already_pending').map(({ person, email }) => ({
    ...person,
    email,
    invited_by: actor.id,
  }))
  await addPendingEnrollments(course._id, pending, now)
}
