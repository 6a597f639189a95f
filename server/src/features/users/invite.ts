import { isDuplicateKey, nextIds } from '../../lib/db.ts'
import type { Actor } from '../../lib/handle.ts'
import type { Services } from '../../services.ts'
import { type LinkMail, postLinkMail } from '../auth/link-mail.ts'
import type { CourseDoc } from '../courses/course.model.ts'
import { type UserDoc, UserModel } from './user.model.ts'
import { key, newUserDoc, usersByEmail } from './user.service.ts'
import { freeUsernames, usernameFrom } from './username.ts'

/**
 * `enrolled_account`: an account whose owner has confirmed the address; enrol it. `created`, `invited`: an account nobody can
 * use before its owner follows the mailed link; enrol it. `unconfirmed`: somebody registered the address and has not shown that
 * it is theirs; keep the place as a `PendingEnrollment`. `not_a_student`: nobody who can be enrolled.
 */
export type InviteOutcome = 'enrolled_account' | 'created' | 'invited' | 'unconfirmed' | 'not_a_student'

export interface Invitation {
  email: string
  full_name?: string | null
}

export interface InvitedBy {
  invitedBy: Pick<Actor, 'id'>
  course: CourseDoc
}

export interface Invited {
  user: UserDoc
  outcome: InviteOutcome
}

/** One student; see `inviteStudents`. */
export async function inviteStudent(
  { email, full_name, ...by }: Invitation & InvitedBy,
  services: Pick<Services, 'jobs' | 'clock'>,
): Promise<Invited> {
  const [invited] = await inviteStudents([{ email, full_name }], by, services)
  if (!invited) throw new Error('each invitation has an answer')
  return invited
}

/**
 * Finds or makes the accounts a teacher means by their addresses, and mails their owners where they have something to do.
 * Enrolling is the caller's. The addresses keep to the contract's rule already, and none stands there twice. Run again, it
 * comes to the same. A few writes for all of them: a school's roster has thousands.
 */
export async function inviteStudents(
  invitations: Invitation[],
  { invitedBy, course }: InvitedBy,
  services: Pick<Services, 'jobs' | 'clock'>,
): Promise<Invited[]> {
  const known = await usersByEmail(invitations.map(({ email }) => email))
  const missing = invitations.filter(({ email }) => !known.has(key(email)))
  const made = await createInvited(missing, services.clock.now())
  const invited = invitations.map(({ email }): Invited => {
    const user = known.get(key(email))
    if (user) return { user, outcome: outcomeFor(user) }
    const created = made.get(key(email))
    if (!created) throw new Error('an account was neither found nor made')
    return created
  })
  const mails = invited.flatMap(({ user, outcome }): LinkMail[] => {
    const about = { userId: user._id, courseId: course._id }
    if (outcome === 'created' || outcome === 'invited')
      return [{ kind: 'invitation', ...about, invitedBy: invitedBy.id }]
    return outcome === 'unconfirmed' ? [{ kind: 'confirm', ...about }] : []
  })
  await postLinkMail(mails, services)
  return invited
}

function outcomeFor(user: UserDoc): InviteOutcome {
  if (user.role !== 'student') return 'not_a_student'
  if (user.account === 'invited') return 'invited'
  // One that is switched off may be enrolled: it is let in again by an administrator or not at all.
  return user.email_verified_at == null ? 'unconfirmed' : 'enrolled_account'
}

/** How often a name or an address may turn out to be taken meanwhile. */
const MOST_ROUNDS = 20

/** Accounts without a password. Their names come from the addresses and may be changed by their owners. */
async function createInvited(invitations: Invitation[], now: Date): Promise<Map<string, Invited>> {
  const made = new Map<string, Invited>()
  let missing = invitations
  for (let round = 0; missing.length > 0; round++) {
    if (round === MOST_ROUNDS) throw new Error(`${missing.length} accounts found no free name`)
    const names = await freeUsernames(missing.map(({ email }) => usernameFrom(email)))
    const first = await nextIds('users', missing.length)
    const docs = missing.map(({ email, full_name }, i) => {
      const account = { role: 'student', password_hash: null, account: 'invited' } as const
      const username = names[i] ?? usernameFrom(email)
      return newUserDoc(first + i, { username, email, full_name: full_name ?? null, ...account }, now)
    })
    try {
      await UserModel.insertMany(docs, { lean: true, ordered: false })
    } catch (error) {
      // The same name or address at the same moment: the index decided, and what is left is tried again below.
      if (!isDuplicateKey(error)) throw error
    }
    // Whoever was first with an address made its account.
    const ours = new Set(docs.map(({ _id }) => _id))
    for (const [email, user] of await usersByEmail(missing.map(({ email }) => email)))
      made.set(email, { user, outcome: ours.has(user._id) ? 'created' : outcomeFor(user) })
    missing = missing.filter(({ email }) => !made.has(key(email)))
  }
  return made
}
