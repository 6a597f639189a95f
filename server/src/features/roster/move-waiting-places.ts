import type { Services } from '../../services.ts'
import { PendingEnrollmentModel } from '../courses/course.model.ts'
import { coursesById } from '../courses/course.service.ts'
import type { UserDoc } from '../users/user.model.ts'
import { findPlaces, takePlaces } from './add-to-roster.ts'

/**
 * An account has another address: the places kept for the owner of the old one stay with that address, which is free now, so
 * that its owner is invited as if nobody had claimed it. Cut short, a place stays kept and falls to nobody.
 */
export async function moveWaitingPlaces(user: UserDoc, services: Services): Promise<void> {
  const kept = await PendingEnrollmentModel.find({ user_id: user._id }).lean()
  const left = kept.filter(({ email }) => email.toLowerCase() !== user.email_key)
  const courses = await coursesById(left.map((place) => place.course_id))
  for (const { _id, course_id, email, invited_by, ...numbers } of left) {
    const course = courses.get(course_id)
    const { external_user_id = null, sis_user_id = null } = numbers
    const entry = { email, external_user_id, sis_user_id, full_name: null }
    if (course) {
      const inviter = { id: invited_by }
      const added = await findPlaces(course, [entry], inviter, services)
      await takePlaces(course, added, inviter, services.clock.now())
    }
    await PendingEnrollmentModel.deleteOne({ _id })
  }
}
