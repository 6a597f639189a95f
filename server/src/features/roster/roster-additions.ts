import type { RosterEntry } from '@assay/shared/roster.ts'
import type { Actor } from '../../lib/http/handle.ts'
import type { CourseDoc } from '../../records/courses/course.model.ts'
import type { RosterPerson } from '../../records/courses/roster-import.model.ts'
import type { UserDoc } from '../../records/people/user.model.ts'
import type { Services } from '../../services.ts'
import {
  addEnrollments,
  addPendingEnrollments,
  findPendingIds,
  markAddedByTeacher,
} from '../courses/enrollment.service.ts'
import { findEnrolledIds } from '../courses/enrollment-queries.ts'
import { normalizeLogin, releaseRosterAccounts, takeAddressBack, usersByEmail } from '../users/user.service.ts'
import {
  type InvitedUser,
  invitationLimitOf,
  inviteStudents,
  limitReached,
  takeInvitations,
} from './invite-students.ts'
import { giveAddresses, type RosterAddition, resolveWithoutAddress } from './students-without-address.ts'

/** Confirmed by the owner of its address, or not claimed yet. */
const isOwnedByAddress = (user: UserDoc) => user.email_verified_at != null || user.account === 'invited'

type AdditionServices = Pick<Services, 'jobs' | 'clock' | 'settings'>

interface AdditionOptions {
  mail: boolean
}

const hasAddress = (entry: RosterPerson): entry is RosterEntry => entry.email !== null

/** Invites missing accounts. Enrolments change later, so that audit entries and mails are stored first. */
export async function resolveRosterEntries(
  course: CourseDoc,
  entries: RosterPerson[],
  actor: Pick<Actor, 'id'>,
  services: AdditionServices,
  options: AdditionOptions,
): Promise<RosterAddition[]> {
  const addressed = entries.filter(hasAddress)
  const others = entries.filter((entry) => !hasAddress(entry))
  // In this order: a row without an address may mean somebody whose row has one.
  const withAddress = await resolveByAddress(course, addressed, actor, services, options)
  const without = await resolveWithoutAddress(course, others, actor, services)
  const additions = new Map<RosterPerson, RosterAddition | undefined>(without)
  for (const [i, entry] of addressed.entries()) additions.set(entry, withAddress[i])
  return entries.map((entry) => {
    const addition = additions.get(entry)
    if (!addition) throw new Error('each entry has an answer')
    return addition
  })
}

async function resolveByAddress(
  course: CourseDoc,
  entries: RosterEntry[],
  actor: Pick<Actor, 'id'>,
  services: AdditionServices,
  { mail }: AdditionOptions,
): Promise<RosterAddition[]> {
  const owners = await usersByEmail(entries.map(({ email }) => email))
  const ownersByEntry = new Map(
    entries.flatMap((entry) => {
      const owner = owners.get(normalizeLogin(entry.email))
      return owner ? [[entry, owner] as const] : []
    }),
  )
  const given = await giveAddresses(course, entries, ownersByEntry, services.clock.now())
  const users = given.accounts.size > 0 ? await usersByEmail(entries.map(({ email }) => email)) : owners
  const ids = [...users.values()].map(({ _id }) => _id)
  const [enrolled, waiting] = await Promise.all([findEnrolledIds(course._id, ids), findPendingIds(course._id, ids)])
  const knownAs = ({ email }: RosterEntry) => {
    const user = users.get(normalizeLogin(email))
    // Somebody just given this address is still to be invited.
    if (!user || given.accounts.has(user._id)) return null
    return isOwnedByAddress(user) && enrolled.has(user._id) ? user : null
  }
  // Before anybody is mailed: a file sent again, or a job that is retried, invites nobody twice.
  const unknown = entries.filter((entry) => !knownAs(entry) && !given.refused.has(entry))
  const invited = await inviteStudents(unknown, { invitedBy: actor, course, mail }, services)
  // The address's owner could sign in, although the row says that nothing was done.
  for (const { outcome, user } of invited) {
    if (outcome === 'over_limit' && user && given.accounts.has(user._id))
      await takeAddressBack(user._id, course._id, services.clock.now())
  }
  const byEntry = new Map(unknown.map((entry, i) => [entry, invited[i]]))
  const kind = mail ? 'mailed' : 'silent'
  const limit = await invitationLimitOf(actor.id, services, kind)
  const noticed = mail ? invited.filter(({ outcome }) => outcome === 'enrolled_account') : []
  const notices = new Set(noticed.slice(0, await takeInvitations(actor.id, noticed.length, services)))
  return entries.map((entry) => {
    const refusal = given.refused.get(entry)
    if (refusal) return refused(entry, null, refusal)
    const user = knownAs(entry)
    if (user) return existingStudent(entry, user)
    const found = byEntry.get(entry)
    if (!found) throw new Error('each invitation has an answer')
    if (found.outcome === 'over_limit')
      return refused(entry, found.user, `${entry.email} was not added: ${limitReached(limit, kind)}`)
    const addressee = { ...found, mailed: found.mailed || notices.has(found) }
    return newAddition(entry, addressee, { isPending: waiting.has(found.user._id), mail })
  })
}

function existingStudent(entry: RosterEntry, user: UserDoc): RosterAddition {
  const message = `${entry.email} is already enrolled in this course.`
  return { entry, outcome: 'already_enrolled', message, created_user: false, user, mailed: false }
}

function refused(entry: RosterEntry, user: UserDoc | null, message: string): RosterAddition {
  return { entry, outcome: 'refused', message, created_user: false, user, mailed: false }
}

function newAddition(
  entry: RosterEntry,
  { user, outcome, mailed }: InvitedUser,
  { isPending, mail }: AdditionOptions & { isPending: boolean },
): RosterAddition {
  const { email } = entry
  const common = { entry, created_user: outcome === 'created', user, mailed }
  if (outcome === 'not_a_student') {
    const message = `${email} belongs to an account that is not a student account and cannot be enrolled.`
    return { ...common, outcome: 'refused', message }
  }
  if (outcome === 'unconfirmed') {
    const until = mail ? 'follows the link we emailed' : 'has confirmed the address'
    const message = `${email} has an account with an unconfirmed address. The enrollment is pending until its owner ${until}.`
    return { ...common, outcome: isPending ? 'already_pending' : 'pending', message }
  }
  if (outcome === 'enrolled_account') {
    const silent = 'No email was sent: your limit for today is reached.'
    const message = mailed ? `${email} was enrolled.` : `${email} was enrolled. ${mail ? silent : 'No email was sent.'}`
    return { ...common, outcome: 'enrolled', message }
  }
  if (!mail) return { ...common, outcome: 'invited', message: `${email} was enrolled. No email was sent.` }
  const message = mailed
    ? `${email} was enrolled and invited by email.`
    : `${email} was enrolled. They were sent five emails today, whose links still work, and get no other.`
  return { ...common, outcome: 'invited', message }
}

export async function applyRosterAdditions(
  course: CourseDoc,
  added: RosterAddition[],
  actor: Pick<Actor, 'id'>,
  now: Date,
): Promise<void> {
  const withOutcome = (...outcomes: RosterAddition['outcome'][]) =>
    added
      .filter(({ outcome }) => outcomes.includes(outcome))
      .flatMap(({ user, entry: { email, external_user_id, sis_user_id, canvas_user_id = null } }) =>
        user ? [{ email, person: { user_id: user._id, external_user_id, sis_user_id, canvas_user_id } }] : [],
      )
  const again = withOutcome('already_enrolled').map(({ person }) => person)
  await markAddedByTeacher(course._id, again)
  const fresh = withOutcome('enrolled', 'invited').map(({ person }) => ({ ...person, added_by: 'teacher' as const }))
  await addEnrollments(course._id, fresh, now)
  const pending = withOutcome('pending', 'already_pending').flatMap(({ person, email }) =>
    email === null ? [] : [{ ...person, email, invited_by: actor.id }],
  )
  await addPendingEnrollments(course._id, pending, now)
  // Last: until here a retry sees that they are still to be invited.
  const addressed = added.filter(({ entry, outcome }) => entry.email !== null && outcome === 'invited')
  await releaseRosterAccounts(addressed.flatMap(({ user }) => user?._id ?? []))
}
