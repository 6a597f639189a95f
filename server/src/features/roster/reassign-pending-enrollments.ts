import { PendingEnrollmentModel } from '../../records/courses/pending-enrollment.model.ts'
import type { UserDoc } from '../../records/people/user.model.ts'
import type { Services } from '../../services.ts'
import { coursesById } from '../courses/course.service.ts'
import { applyRosterAdditions, resolveRosterEntries } from './roster-additions.ts'

/** They stay with the old address, now free: its owner is invited as if nobody had registered it. */
export async function reassignPendingEnrollments(user: UserDoc, services: Services): Promise<void> {
  const pending = await PendingEnrollmentModel.find({ user_id: user._id }).lean()
  const left = pending.filter(({ email }) => email !== '' && email.toLowerCase() !== user.email_key)
  const courses = await coursesById(left.map(({ course_id }) => course_id))
  for (const { _id, course_id, email, invited_by, ...numbers } of left) {
    const course = courses.get(course_id)
    const { external_user_id = null, sis_user_id = null, canvas_user_id = null } = numbers
    const entry = { email, external_user_id, sis_user_id, canvas_user_id, full_name: null }
    if (course) {
      const inviter = { id: invited_by }
      const added = await resolveRosterEntries(course, [entry], inviter, services, { mail: true })
      await applyRosterAdditions(course, added, inviter, services.clock.now())
    }
    await PendingEnrollmentModel.deleteOne({ _id })
  }
}
