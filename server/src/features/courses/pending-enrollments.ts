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
        update: { $set: fields, $setOnInsert: { ...first, user_id } },
        upsert: true,
      },
    })),
    { ordered: false },
  )
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
  for (const { _id, course_id, external_user_id, sis_user_id } of theirs) {
    const numbers = { external_user_id: external_user_id ?? null, sis_user_id: sis_user_id ?? null }
    const person = { user_id: userId, ...numbers }
    const stored = await addEnrollments(course_id, [{ ...person, added_by: 'teacher' }], now)
    if (stored === 0) await markAddedByTeacher(course_id, [person])
    await PendingEnrollmentModel.deleteOne({ _id })
  }
  return theirs.map(({ course_id }) => course_id)
}
