import { notFound } from '../../lib/http/app-error.ts'
import type { Actor } from '../../lib/http/handle.ts'
import { type PendingEnrollmentDoc, PendingEnrollmentModel } from '../../records/courses/pending-enrollment.model.ts'
import { usersById } from '../users/user.service.ts'
import { addEnrollments, markAddedByTeacher, type SchoolIds } from './enrollment.service.ts'
import { enrollmentId } from './enrollment-queries.ts'

type NewPendingEnrollment = Pick<PendingEnrollmentDoc, 'user_id' | 'email' | 'invited_by'> & SchoolIds

/** For owners of unconfirmed addresses. */
export async function addPendingEnrollments(
  courseId: number,
  pending: NewPendingEnrollment[],
  now: Date,
): Promise<void> {
  if (pending.length === 0) return
  const first = { course_id: courseId, enrolled_at: now, added_by: 'teacher' as const }
  await PendingEnrollmentModel.bulkWrite(
    pending.map(({ user_id, ...fields }) => ({
      updateOne: {
        filter: { _id: enrollmentId(courseId, user_id) },
        update: { $set: { ...fields, expires_at: null }, $setOnInsert: { ...first, user_id } },
        upsert: true,
      },
    })),
    { ordered: false },
  )
}

const REQUEST_MS = 30 * 24 * 60 * 60_000

/** For a user ID that may be nobody's. Changes nothing where an enrolment is pending; then `isNew` is false. */
export async function requestEnrollment(
  course_id: number,
  user_id: number,
  invited_by: number,
  now: Date,
): Promise<{ request: PendingEnrollmentDoc; isNew: boolean }> {
  const ids = { _id: enrollmentId(course_id, user_id), course_id, user_id, invited_by }
  const request = { ...ids, email: '', enrolled_at: now, expires_at: new Date(now.getTime() + REQUEST_MS) }
  const stored = await PendingEnrollmentModel.updateOne({ _id: ids._id }, { $setOnInsert: request }, { upsert: true })
  return { request, isNew: stored.upsertedCount > 0 }
}

/** None in a launch that reaches an LMS's courses alone, and none from before the account: its ID was a guess. */
export async function findEnrollmentRequests({ id, lmsIssuer }: Actor, now: Date): Promise<PendingEnrollmentDoc[]> {
  const account = (await usersById([id])).get(id)
  if (lmsIssuer || !account) return []
  const asked_since = { enrolled_at: { $gte: account.created_at }, expires_at: { $gt: now } }
  return PendingEnrollmentModel.find({ user_id: id, email: '', declined: { $ne: true }, ...asked_since }).lean()
}

/** Ends it, once. @throws {AppError} `resource_not_found` */
export async function answerEnrollmentRequest(student: Actor, courseId: number, accepted: boolean, now: Date) {
  const requests = await findEnrollmentRequests(student, now)
  const request = requests.find(({ course_id }) => course_id === courseId)
  const open = { _id: request?._id, email: '', declined: { $ne: true } }
  const answered =
    request &&
    (await (accepted
      ? PendingEnrollmentModel.findOneAndDelete(open)
      : PendingEnrollmentModel.findOneAndUpdate(open, { $set: { declined: true } })
    ).lean())
  if (!answered) throw notFound('This course no longer asks to enrol you. Ask its instructor.')
  if (accepted) await addEnrollments(courseId, [{ user_id: student.id, added_by: 'teacher' }], now)
}

export async function findPendingIds(courseId: number, userIds: number[]): Promise<Set<number>> {
  const _id = { $in: userIds.map((userId) => enrollmentId(courseId, userId)) }
  const found = await PendingEnrollmentModel.find({ _id }, { user_id: 1 }).lean()
  return new Set(found.map(({ user_id }) => user_id))
}

/** Those for an earlier address of the account stay pending: they are another person's. Idempotent. */
export async function activatePendingEnrollments(userId: number, now: Date): Promise<number[]> {
  const [pending, users] = await Promise.all([
    PendingEnrollmentModel.find({ user_id: userId }).lean(),
    usersById([userId]),
  ])
  const address = users.get(userId)?.email_key
  const theirs = pending.filter(({ email }) => email.toLowerCase() === address)
  for (const { _id, course_id, external_user_id = null, sis_user_id = null, canvas_user_id = null } of theirs) {
    const person = { user_id: userId, external_user_id, sis_user_id, canvas_user_id }
    const stored = await addEnrollments(course_id, [{ ...person, added_by: 'teacher' }], now)
    if (stored === 0) await markAddedByTeacher(course_id, [person])
    await PendingEnrollmentModel.deleteOne({ _id })
  }
  return theirs.map(({ course_id }) => course_id)
}
