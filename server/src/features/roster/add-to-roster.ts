import type { RosterEntry } from '@assay/shared/roster.ts'
import type { Actor } from '../../lib/handle.ts'
import type { Services } from '../../services.ts'
import type { CourseDoc } from '../courses/course.model.ts'
import {
  enrolledAmong,
  keepEnrollments,
  keepPlaces,
  vouchForEnrolled,
  waitingAmong,
} from '../courses/enrollment.service.ts'
import { type Invited, inviteStudents } from '../users/invite.ts'
import type { UserDoc } from '../users/user.model.ts'
import { key, usersByEmail } from '../users/user.service.ts'

/** What becomes of one student a teacher named. */
export interface Added {
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
const isTheOwners = (user: UserDoc) => user.email_verified_at != null || user.account === 'invited'

/**
 * Whom a teacher means by each address, and what becomes of them; who has no account gets one and is invited. On the course
 * nothing has changed yet: that is for `takePlaces`, so that what is to be told of it can be written down before.
 */
export async function findPlaces(
  course: CourseDoc,
  entries: RosterEntry[],
  actor: Pick<Actor, 'id'>,
  services: Pick<Services, 'jobs' | 'clock'>,
): Promise<Added[]> {
  const users = await usersByEmail(entries.map(({ email }) => email))
  const ids = [...users.values()].map(({ _id }) => _id)
  const [enrolled, waiting] = await Promise.all([
    enrolledAmong(course._id, ids),
    waitingAmong(course._id, ids),
  ])
  const knownAs = ({ email }: RosterEntry) => {
    const user = users.get(key(email))
    return user && isTheOwners(user) && enrolled.has(user._id) ? user : null
  }
  // Before anybody is mailed: the same file sent again, or a job taken up again, invites nobody twice.
  const strangers = entries.filter((entry) => !knownAs(entry))
  const invited = await inviteStudents(strangers, { invitedBy: actor, course }, services)
  const byEntry = new Map(strangers.map((entry, i) => [entry, invited[i]]))
  return entries.map((entry) => {
    const user = knownAs(entry)
    if (user) return knownPlace(entry, user)
    const found = byEntry.get(entry)
    if (!found) throw new Error('each invitation has an answer')
    return newPlace(entry, found, waiting.has(found.user._id))
  })
}

function knownPlace(entry: RosterEntry, user: UserDoc): Added {
  const message = `${entry.email} is enrolled in this course already.`
  return { entry, outcome: 'known', message, created_user: false, user }
}

function newPlace(entry: RosterEntry, { user, outcome }: Invited, isKept: boolean): Added {
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
  if (outcome === 'enrolled_account')
    return { ...common, outcome: 'enrolled', message: `${email} was enrolled.` }
  return { ...common, outcome: 'invited', message: `${email} was enrolled and invited by mail.` }
}

/** Puts on the course, or has a place kept for, everyone it was found for. Run twice, it comes to the same. */
export async function takePlaces(
  course: CourseDoc,
  added: Added[],
  actor: Pick<Actor, 'id'>,
  now: Date,
): Promise<void> {
  const those = (...outcomes: Added['outcome'][]) =>
    added
      .filter(({ outcome }) => outcomes.includes(outcome))
      .map(({ user, entry: { email, external_user_id, sis_user_id } }) => ({
        email,
        person: { user_id: user._id, external_user_id, sis_user_id },
      }))
  await vouchForEnrolled(
    course._id,
    those('known').map(({ person }) => person),
  )
  await keepEnrollments(
    course._id,
    those('enrolled', 'invited').map(({ person }) => ({ ...person, added_by: 'teacher' as const })),
    now,
  )
  const places = those('waiting', 'kept').map(({ person, email }) => ({
    ...person,
    email,
    invited_by: actor.id,
  }))
  await keepPlaces(course._id, places, now)
}
