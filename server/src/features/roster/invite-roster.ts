import { recordAudits } from '../../audit/audit.service.ts'
import type { Actor } from '../../lib/http/handle.ts'
import type { CourseDoc } from '../../records/courses/course.model.ts'
import type { UserDoc } from '../../records/people/user.model.ts'
import type { Services } from '../../services.ts'
import { findEnrollments } from '../courses/enrollment-queries.ts'
import { isNeverInvited } from '../users/account.service.ts'
import { filterUserIds, usersById } from '../users/user.service.ts'
import { invitationLimitOf, limitReached } from './invitation-limit.ts'
import { inviteStudents } from './invite-students.ts'

const PER_STEP = 100

/** The students of a course to whom no link to their account was ever mailed, in the order they were enrolled. */
export async function findNeverInvited(courseId: number): Promise<UserDoc[]> {
  const ids = (await findEnrollments(courseId)).map(({ user_id }) => user_id)
  const waiting = await filterUserIds(ids, { account: 'invited', email: { $ne: '' } })
  const users = await usersById([...waiting])
  return ids.flatMap((id) => users.get(id) ?? []).filter(isNeverInvited)
}

const students = (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'student' : 'students'}`

/** Queues an invitation for each of them, as far as the teacher's limit for today reaches. */
export async function inviteNeverInvited(
  course: CourseDoc,
  actor: Actor,
  services: Services,
): Promise<{ success: boolean; invited: number; message: string }> {
  const waiting = await findNeverInvited(course._id)
  let invited = 0
  for (let i = 0; i < waiting.length; i += PER_STEP) {
    const step = waiting.slice(i, i + PER_STEP).map(({ email }) => ({ email }))
    const results = await inviteStudents(step, { invitedBy: actor, course }, services)
    const subjects = results.flatMap(({ user, mailed }) =>
      user && mailed ? [{ course_id: course._id, user_id: user._id }] : [],
    )
    await recordAudits(actor, 'student.invited', subjects, services.clock.now())
    invited += subjects.length
    if (results.some(({ outcome }) => outcome === 'over_limit')) break
  }
  const left = waiting.length - invited
  const sent = `${students(invited)} ${invited === 1 ? 'is' : 'are'} sent an invitation now.`
  if (left === 0) {
    return {
      success: true,
      invited,
      message: waiting.length > 0 ? sent : 'Everybody with an email address was invited before.',
    }
  }
  const limit = limitReached(await invitationLimitOf(actor.id, services))
  const why = `${students(left)} ${left === 1 ? 'was' : 'were'} not invited: ${limit}`
  return { success: invited > 0, invited, message: invited > 0 ? `${sent} ${why}` : why }
}
