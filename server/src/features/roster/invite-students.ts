import type { CourseStudent } from '@assay/shared/courses.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { nextIds } from '../../lib/database/database.ts'
import type { Actor } from '../../lib/http/handle.ts'
import type { CourseDoc } from '../../records/courses/course.model.ts'
import type { UserDoc } from '../../records/people/user.model.ts'
import type { Services } from '../../services.ts'
import { type LinkMail, queueLinkMails } from '../auth/link-mail.ts'
import { insertUsers, newUserDoc, normalizeLogin, usersByEmail } from '../users/user.service.ts'
import { findFreeUsernames, usernameFromEmail } from '../users/username.ts'

/**
 * `enrolled_account`: the address is confirmed; enrol the account. `created`, `invited`: nobody can use the account before
 * its owner follows the mailed link; enrol it. `unconfirmed`: somebody registered the address without confirming it; add a
 * `PendingEnrollment`. `not_a_student`: cannot be enrolled.
 */
type InviteOutcome = 'enrolled_account' | 'created' | 'invited' | 'unconfirmed' | 'not_a_student'

interface Invitation {
  email: string
  full_name?: string | null
}

interface InvitationContext {
  invitedBy: Pick<Actor, 'id'>
  course: CourseDoc
}

export interface InvitedUser {
  user: UserDoc
  outcome: InviteOutcome
}

/** One student; see `inviteStudents`. */
export async function inviteStudent(
  { email, full_name, ...by }: Invitation & InvitationContext,
  services: Pick<Services, 'jobs' | 'clock'>,
): Promise<InvitedUser> {
  const [invited] = await inviteStudents([{ email, full_name }], by, services)
  if (!invited) throw new Error('each invitation has an answer')
  return invited
}

/**
 * Finds or creates the accounts with these addresses, and mails their owners a link where they need one. The caller enrols
 * them. The addresses are valid and unique. Idempotent. Uses a few writes for all of them, as a roster may have thousands.
 */
export async function inviteStudents(
  invitations: Invitation[],
  { invitedBy, course }: InvitationContext,
  services: Pick<Services, 'jobs' | 'clock'>,
): Promise<InvitedUser[]> {
  const known = await usersByEmail(invitations.map(({ email }) => email))
  const missing = invitations.filter(({ email }) => !known.has(normalizeLogin(email)))
  const made = await createInvitedUsers(missing, services.clock.now())
  const invited = invitations.map(({ email }): InvitedUser => {
    const user = known.get(normalizeLogin(email))
    if (user) return { user, outcome: inviteOutcomeFor(user) }
    const created = made.get(normalizeLogin(email))
    if (!created) throw new Error('an account was neither found nor made')
    return created
  })
  const mails = invited.flatMap(({ user, outcome }): LinkMail[] => {
    const target = { userId: user._id, courseId: course._id }
    if (outcome === 'created' || outcome === 'invited')
      return [{ kind: 'invitation', ...target, invitedBy: invitedBy.id }]
    return outcome === 'unconfirmed' ? [{ kind: 'confirm', ...target }] : []
  })
  await queueLinkMails(mails, services)
  return invited
}

function inviteOutcomeFor(user: UserDoc): InviteOutcome {
  if (user.role !== 'student') return 'not_a_student'
  if (user.account === 'invited') return 'invited'
  // A deactivated account may be enrolled: only an administrator can reactivate it.
  return user.email_verified_at == null ? 'unconfirmed' : 'enrolled_account'
}

/** How often a username or address may turn out to be taken meanwhile. */
const MAX_ROUNDS = 20

/** Accounts without a password. Their usernames come from the addresses and may be changed by their owners. */
async function createInvitedUsers(invitations: Invitation[], now: Date): Promise<Map<string, InvitedUser>> {
  const made = new Map<string, InvitedUser>()
  let missing = invitations
  for (let round = 0; missing.length > 0; round++) {
    if (round === MAX_ROUNDS) throw new Error(`${missing.length} accounts found no free username`)
    const names = await findFreeUsernames(missing.map(({ email }) => usernameFromEmail(email)))
    const first = await nextIds('users', missing.length)
    const docs = missing.map(({ email, full_name }, i) => {
      const account = { role: 'student', password_hash: null, account: 'invited' } as const
      const username = names[i] ?? usernameFromEmail(email)
      return newUserDoc(first + i, { username, email, full_name: full_name ?? null, ...account }, now)
    })
    // A name or an address taken at the same moment is left out, and tried again below.
    await insertUsers(docs)
    // Another process may have created the account for an address first.
    const ours = new Set(docs.map(({ _id }) => _id))
    for (const [email, user] of await usersByEmail(missing.map(({ email }) => email)))
      made.set(email, { user, outcome: ours.has(user._id) ? 'created' : inviteOutcomeFor(user) })
    missing = missing.filter(({ email }) => !made.has(normalizeLogin(email)))
  }
  return made
}

/** Mails the link again, for one that was lost or has expired. Earlier links stay valid. */
export async function resendInvitation(
  course: CourseDoc,
  { id, email, state }: CourseStudent,
  actor: Actor,
  services: Services,
): Promise<{ success: boolean; message: string }> {
  const nothing = { success: false, message: `${email} already uses their account and needs no invitation.` }
  if (state === 'enrolled') return nothing
  const { outcome } = await inviteStudent({ email, invitedBy: actor, course }, services)
  if (outcome === 'enrolled_account' || outcome === 'not_a_student') return nothing
  const subject = { course_id: course._id, user_id: id }
  await recordAudit(actor, 'student.invited_again', subject, services.clock.now())
  const message =
    state === 'waiting'
      ? `The link to confirm the address was sent to ${email} again.`
      : `The invitation was sent to ${email} again.`
  return { success: true, message }
}
