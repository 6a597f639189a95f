import type { Services } from '../../services.ts'
import { inviteStudent } from '../users/invite.ts'
import { type PendingEnrollmentDoc, PendingEnrollmentModel } from './course.model.ts'
import { coursesById } from './course.service.ts'
import { storeEnrollment } from './enrollment.service.ts'

/** Takes away the places that wait for the owner of an account's address: the account is about to have another. */
export async function takeWaitingPlaces(userId: number): Promise<PendingEnrollmentDoc[]> {
  const places = await PendingEnrollmentModel.find({ user_id: userId }).lean()
  await PendingEnrollmentModel.deleteMany({ _id: { $in: places.map(({ _id }) => _id) } })
  return places
}

export async function putBackWaitingPlaces(places: PendingEnrollmentDoc[]): Promise<void> {
  if (places.length > 0) await PendingEnrollmentModel.insertMany(places, { lean: true })
}

/** Gives the places to the address, which is free again: its owner is invited as if nobody had claimed it. */
export async function giveWaitingPlaces(
  places: PendingEnrollmentDoc[],
  email: string,
  services: Pick<Services, 'jobs' | 'clock'>,
): Promise<void> {
  const courses = await coursesById(places.map((place) => place.course_id))
  for (const { invited_by, ...place } of places) {
    const course = courses.get(place.course_id)
    if (!course) continue
    const { user, outcome } = await inviteStudent({ email, course, invitedBy: { id: invited_by } }, services)
    if (outcome !== 'created' && outcome !== 'invited') continue
    const _id = `${course._id}/${user._id}`
    const enrollment = { ...place, _id, user_id: user._id, enrolled_at: services.clock.now() }
    await storeEnrollment(enrollment)
  }
}
