import { randomInt } from 'node:crypto'
import { AppError } from '../../lib/app-error.ts'
import type { Actor } from '../../lib/handle.ts'
import type { Services } from '../../services.ts'
import { postLinkMail } from '../auth/link-mail.ts'
import type { CourseDoc } from '../courses/course.model.ts'
import type { UserDoc } from './user.model.ts'
import { createUser, findUserByEmail } from './user.service.ts'

/**
 * `enrolled_account`: an account whose owner has confirmed the address; enrol it. `created`, `invited`: an account nobody can
 * use before its owner follows the mailed link; enrol it. `unconfirmed`: somebody registered the address and has not shown that
 * it is theirs; keep the place as a `PendingEnrollment`. `not_a_student`: nobody who can be enrolled.
 */
export type InviteOutcome = 'enrolled_account' | 'created' | 'invited' | 'unconfirmed' | 'not_a_student'

export interface Invitation {
  email: string
  full_name?: string | null
  invitedBy: Pick<Actor, 'id'>
  course: CourseDoc
}

/**
 * Finds or makes the account a teacher means by an address, and mails its owner where they have something to do. Enrolling is
 * the caller's. The address keeps to the contract's rule already. Run twice, it comes to the same.
 */
export async function inviteStudent(
  invitation: Invitation,
  services: Pick<Services, 'jobs' | 'clock'>,
): Promise<{ user: UserDoc; outcome: InviteOutcome }> {
  const { email, invitedBy, course } = invitation
  const known = await findUserByEmail(email)
  const user = known ?? (await createInvited(invitation, services))
  const outcome = known ? outcomeFor(known) : 'created'
  const about = { userId: user._id, courseId: course._id }
  if (outcome === 'created' || outcome === 'invited') {
    await postLinkMail([{ kind: 'invitation', ...about, invitedBy: invitedBy.id }], services)
  } else if (outcome === 'unconfirmed') {
    await postLinkMail([{ kind: 'confirm', ...about }], services)
  }
  return { user, outcome }
}

function outcomeFor(user: UserDoc): InviteOutcome {
  if (user.role !== 'student') return 'not_a_student'
  if (user.account === 'invited') return 'invited'
  // One that is switched off may be enrolled: it is let in again by an administrator or not at all.
  return user.email_verified_at == null ? 'unconfirmed' : 'enrolled_account'
}

/** An account without a password. Its name comes from the address and may be changed by its owner. */
async function createInvited(
  { email, full_name }: Invitation,
  { clock }: Pick<Services, 'clock'>,
): Promise<UserDoc> {
  const base = usernameFrom(email)
  for (let attempt = 0; ; attempt++) {
    const username = attempt === 0 ? base : `${base}${attempt < 4 ? attempt + 1 : randomInt(1000, 1_000_000)}`
    try {
      return await createUser(
        {
          username,
          email,
          full_name: full_name ?? null,
          role: 'student',
          password_hash: null,
          account: 'invited',
        },
        clock.now(),
      )
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'duplicate' || attempt === 20) throw error
      // The same address in two rosters at the same moment: whoever was first made the account.
      const made = await findUserByEmail(email)
      if (made) return made
    }
  }
}

/** What stands before the @, in a username's letters: `ada.m+x@school.example` is `ada.m`. */
export function usernameFrom(email: string): string {
  const local = email.slice(0, email.lastIndexOf('@')).split('+')[0] ?? ''
  const name = local
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '')
    .slice(0, 50)
  return name.length >= 3 ? name : `${name || 'user'}-student`
}
