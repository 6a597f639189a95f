import { PendingEnrollmentModel } from '../../records/courses/pending-enrollment.model.ts'
import type { UserDoc } from '../../records/people/user.model.ts'
import type { Services } from '../../services.ts'
import { coursesById } from '../courses/course.service.ts'
import { applyRosterAdditions, resolveRosterEntries } from './roster-additions.ts'

/**
 * An account has another address: the places kept for the owner of the old one stay with that address, which is free now, so
 * that its owner is invited as if nobody had claimed it. Cut short, a place stays kept and falls to nobody.
 */
export async function reassignPendingEnrollments(user: UserDoc, services: Services): Promise<void> {
  const kept = await PendingEnrollmentModel.find({ user_id: user._id }).lean()
  const left = kept.filter(({ email }) => email.toLowerCase() !== user.email_key)
  const courses = await coursesById(left.map((place) => place.course_id))
  for (const { _id, course_id, email, invited_by, ...numbers } of left) {
    const course = courses.get(course_id)
    const { external_user_id = null, sis_user_id = null } = numbers
    const entry = { email, external_user_id, sis_user_id, full_name: null }
    if (course) {
      const inviter = { id: invited_by }
      const added = await resolveRosterEntries(course, [entry], inviter, services)
      await applyRosterAdditions(course, added, inviter, services.clock.now())
    }
    await PendingEnrollmentModel.deleteOne({ _id })
  }
}
