import type { RosterEntry } from '@assay/shared/roster.ts'
import type { Actor } from '../../lib/handle.ts'
import type { Services } from '../../services.ts'
import type { CourseDoc } from '../courses/course.model.ts'
import { keepEnrollment, keepPlace, vouchForEnrolled } from '../courses/enrollment.service.ts'
import { inviteStudent } from '../users/invite.ts'
import type { UserDoc } from '../users/user.model.ts'
import { findUserByEmail } from '../users/user.service.ts'

/** What became of one student a teacher named. */
export interface Added {
  /** `waiting`: a place is kept. `known`: on the roster before. `refused`: nothing was done. */
  outcome: 'enrolled' | 'invited' | 'waiting' | 'known' | 'refused'
  message: string
  created_user: boolean
  user: UserDoc
}

/** Whether an account is its address's owner's: confirmed by them, or nobody's before they claim it. */
const isTheOwners = (user: UserDoc) => user.email_verified_at != null || user.account === 'invited'

/** Enrols whoever owns an address, inviting them where there is no account. Run twice, it comes to the same. */
export async function addToRoster(
  course: CourseDoc,
  { email, full_name, ...numbers }: RosterEntry,
  actor: Pick<Actor, 'id'>,
  services: Services,
): Promise<Added> {
  const now = services.clock.now()
  // Before anybody is mailed: the same file sent again, or a job taken up again, invites nobody twice.
  const known = await findUserByEmail(email)
  if (known && isTheOwners(known) && (await vouchForEnrolled(course._id, known._id, numbers))) {
    const message = `${email} is enrolled in this course already.`
    return { outcome: 'known', message, created_user: false, user: known }
  }
  const { user, outcome } = await inviteStudent({ email, full_name, invitedBy: actor, course }, services)
  const created_user = outcome === 'created'
  if (outcome === 'not_a_student') {
    const message = `${email} belongs to an account that is not a student’s, and cannot be enrolled.`
    return { outcome: 'refused', message, created_user, user }
  }
  if (outcome === 'unconfirmed') {
    const fresh = await keepPlace(course, user, { ...numbers, email, invited_by: actor.id }, now)
    const message = `${email} has an account whose address is not confirmed. A place is kept until its owner follows the link mailed to it.`
    return { outcome: fresh ? 'waiting' : 'known', message, created_user, user }
  }
  await keepEnrollment(course, user._id, { added_by: 'teacher', ...numbers }, now)
  if (outcome === 'enrolled_account') {
    return { outcome: 'enrolled', message: `${email} was enrolled.`, created_user, user }
  }
  return { outcome: 'invited', message: `${email} was enrolled and invited by mail.`, created_user, user }
}
