import type { RosterEntry } from '@assay/shared/roster.ts'
import type { Actor } from '../../lib/http/handle.ts'
import type { CourseDoc } from '../../records/courses/course.model.ts'
import type { UserDoc } from '../../records/people/user.model.ts'
import type { Services } from '../../services.ts'
import {
  addEnrollments,
  addPendingEnrollments,
  findEnrolledIds,
  findPendingIds,
  markAddedByTeacher,
} from '../courses/enrollment.service.ts'
import { normalizeLogin, usersByEmail } from '../users/user.service.ts'
import { type InvitedUser, inviteStudents } from './invite-students.ts'

/** What becomes of one student a teacher named. */
export interface RosterAddition {
  entry: RosterEntry
  /**
   * `waiting`: a place is kept from now on. `known`: on the roster before; `kept`: a place is kept for them already.
   * `refused`: nothing is done.
   */
  outcome: 'enrolled' | 'invited' | 'waiting' | 'known' | 'kept' | 'refused'
  message: string
  created_user: boolean
  user: UserDoc
}

/** Whether an account is its address's owner's: confirmed by them, or nobody's before they claim it. */
const isOwnedByAddress = (user: UserDoc) => user.email_verified_at != null || user.account === 'invited'

/**
 * Whom a teacher means by each address, and what becomes of them; who has no account gets one and is invited. On the course
 * nothing has changed yet: that is for `applyRosterAdditions`, so that what is to be told of it can be written down before.
 */
export async function resolveRosterEntries(
  course: CourseDoc,
  entries: RosterEntry[],
  actor: Pick<Actor, 'id'>,
  services: Pick<Services, 'jobs' | 'clock'>,
): Promise<RosterAddition[]> {
  const users = await usersByEmail(entries.map(({ email }) => email))
  const ids = [...users.values()].map(({ _id }) => _id)
  const [enrolled, waiting] = await Promise.all([findEnrolledIds(course._id, ids), findPendingIds(course._id, ids)])
  const knownAs = ({ email }: RosterEntry) => {
    const user = users.get(normalizeLogin(email))
    return user && isOwnedByAddress(user) && enrolled.has(user._id) ? user : null
  }
  // Before anybody is mailed: the same file sent again, or a job taken up again, invites nobody twice.
  const strangers = entries.filter((entry) => !knownAs(entry))
  const invited = await inviteStudents(strangers, { invitedBy: actor, course }, services)
  const byEntry = new Map(strangers.map((entry, i) => [entry, invited[i]]))
  return entries.map((entry) => {
    const user = knownAs(entry)
    if (user) return existingStudent(entry, user)
    const found = byEntry.get(entry)
    if (!found) throw new Error('each invitation has an answer')
    return newAddition(entry, found, waiting.has(found.user._id))
  })
}

function existingStudent(entry: RosterEntry, user: UserDoc): RosterAddition {
  const message = `${entry.email} is enrolled in this course already.`
  return { entry, outcome: 'known', message, created_user: false, user }
}

function newAddition(entry: RosterEntry, { user, outcome }: InvitedUser, isKept: boolean): RosterAddition {
  const { email } = entry
  const common = { entry, created_user: outcome === 'created', user }
  if (outcome === 'not_a_student') {
    const message = `${email} belongs to an account that is not a student’s, and cannot be enrolled.`
    return { ...common, outcome: 'refused', message }
  }
  if (outcome === 'unconfirmed') {
    const message = `${email} has an account whose address is not confirmed. A place is kept until its owner follows the link mailed to it.`
    return { ...common, outcome: isKept ? 'kept' : 'waiting', message }
  }
  if (outcome === 'enrolled_account') return { ...common, outcome: 'enrolled', message: `${email} was enrolled.` }
  return { ...common, outcome: 'invited', message: `${email} was enrolled and invited by mail.` }
}

/** Puts on the course, or has a place kept for, everyone it was found for. Run twice, it comes to the same. */
export async function applyRosterAdditions(
  course: CourseDoc,
  added: RosterAddition[],
  actor: Pick<Actor, 'id'>,
  now: Date,
): Promise<void> {
  const those = (...outcomes: RosterAddition['outcome'][]) =>
    added
      .filter(({ outcome }) => outcomes.includes(outcome))
      .map(({ user, entry: { email, external_user_id, sis_user_id } }) => ({
        email,
        person: { user_id: user._id, external_user_id, sis_user_id },
      }))
  await markAddedByTeacher(
    course._id,
    those('known').map(({ person }) => person),
  )
  await addEnrollments(
    course._id,
    those('enrolled', 'invited').map(({ person }) => ({ ...person, added_by: 'teacher' as const })),
    now,
  )
  const places = those('waiting', 'kept').map(({ person, email }) => ({
    ...person,
    email,
    invited_by: actor.id,
  }))
  await addPendingEnrollments(course._id, places, now)
}
