import type { CourseStudent } from '@assay/shared/courses.ts'
import { AppError, invalidField } from '../../lib/http/app-error.ts'
import { type CourseDoc, type EnrollmentDoc, EnrollmentModel } from '../../records/courses/course.model.ts'
import { PendingEnrollmentModel } from '../../records/courses/pending-enrollment.model.ts'
import { withInvalidation } from '../../records/grading/analytics-invalidation.ts'
import type { UserDoc } from '../../records/people/user.model.ts'
import { presentCourseStudent } from './course-student.present.ts'
import { enrollmentId, findEnrolledIds } from './enrollment-queries.ts'

/** @throws {AppError} `duplicate` when enrolled already, `validation_failed` for an account that is not a student's */
export async function enrol(course: CourseDoc, user: UserDoc, now: Date): Promise<CourseStudent> {
  if (user.role !== 'student')
    throw invalidField('user_id', 'Only students can be enrolled. This is another kind of account.', 'role')
  if (!(await addEnrollment(course, user._id, { added_by: 'teacher' }, now)))
    throw new AppError('duplicate', `${user.username} is already enrolled in this course.`)
  return presentCourseStudent(user, { enrolled_at: now })
}

export type SchoolIds = Pick<EnrollmentDoc, 'external_user_id' | 'sis_user_id' | 'canvas_user_id'>
type NewEnrollment = Pick<EnrollmentDoc, 'user_id' | 'added_by' | 'test_user'> & SchoolIds

/** False, and nothing changes, for someone enrolled already. */
export async function addEnrollment(
  course: CourseDoc,
  userId: number,
  more: Pick<EnrollmentDoc, 'added_by'> & SchoolIds,
  now: Date,
): Promise<boolean> {
  const stored = await addEnrollments(course._id, [{ user_id: userId, ...more }], now)
  return stored > 0
}

/** Returns how many were not enrolled before; nothing changes for the others. */
export async function addEnrollments(course_id: number, people: NewEnrollment[], now: Date): Promise<number> {
  if (people.length === 0) return 0
  // Most of a roster imported again is enrolled already and must not invalidate the statistics.
  const enrolled = await findEnrolledIds(
    course_id,
    people.map(({ user_id }) => user_id),
  )
  const missing = people.filter(({ user_id }) => !enrolled.has(user_id))
  if (missing.length === 0) return 0
  const writes = missing.map((person) => {
    const _id = enrollmentId(course_id, person.user_id)
    const enrollment: EnrollmentDoc = { _id, course_id, enrolled_at: now, ...person }
    return { updateOne: { filter: { _id }, update: { $setOnInsert: enrollment }, upsert: true } }
  })
  const stored = await withInvalidation([`course/${course_id}`], () =>
    EnrollmentModel.bulkWrite(writes, { ordered: false }),
  )
  // Those by user ID: another row of the same ID would name its owner.
  await PendingEnrollmentModel.deleteMany({
    _id: { $in: writes.map(({ updateOne }) => updateOne.filter._id) },
    email: '',
  })
  return stored.upsertedCount
}

/** People whom a teacher names again count as added by a teacher, with the school's numbers if known. */
export async function markAddedByTeacher(
  courseId: number,
  people: (Pick<EnrollmentDoc, 'user_id'> & SchoolIds)[],
): Promise<void> {
  if (people.length === 0) return
  const writes = people.map(({ user_id, ...numbers }) => {
    const given = Object.fromEntries(Object.entries(numbers).filter(([, number]) => number != null))
    const update = { $set: { added_by: 'teacher' as const, ...given } }
    return { updateOne: { filter: { _id: enrollmentId(courseId, user_id) }, update } }
  })
  await withInvalidation([`course/${courseId}`], () => EnrollmentModel.bulkWrite(writes, { ordered: false }))
}

export async function removeAllEnrollments(courseId: number): Promise<number> {
  const [enrolled, pending] = await Promise.all([
    withInvalidation([`course/${courseId}`], () => EnrollmentModel.deleteMany({ course_id: courseId })),
    PendingEnrollmentModel.deleteMany({ course_id: courseId }),
  ])
  return enrolled.deletedCount + pending.deletedCount
}

/** Null if there was neither. Submissions and grades stay. */
export async function removeEnrollment(course: CourseDoc, userId: number): Promise<'enrolled' | 'pending' | null> {
  const _id = enrollmentId(course._id, userId)
  const [enrolled, pending] = await Promise.all([
    withInvalidation([`course/${course._id}`], () => EnrollmentModel.deleteOne({ _id })),
    PendingEnrollmentModel.deleteOne({ _id }),
  ])
  if (enrolled.deletedCount > 0) return 'enrolled'
  return pending.deletedCount > 0 ? 'pending' : null
}

/** Removes and returns those added only by an LMS. Their work stays. */
export async function removeLmsEnrollments(courseId: number, userIds: number[]): Promise<number[]> {
  if (userIds.length === 0) return []
  const theirs = { _id: { $in: userIds.map((userId) => enrollmentId(courseId, userId)) }, added_by: 'lms' as const }
  const found = await EnrollmentModel.find(theirs, { user_id: 1 }).lean()
  if (found.length === 0) return []
  await withInvalidation([`course/${courseId}`], () => EnrollmentModel.deleteMany(theirs))
  return found.map(({ user_id }) => user_id)
}

/** An LMS may mark test students only after listing them. Invalidates the statistics, which leave them out. */
export async function markTestUsers(courseId: number, userIds: number[]): Promise<void> {
  const unmarked = { _id: { $in: userIds.map((id) => enrollmentId(courseId, id)) }, test_user: { $ne: true } }
  if (userIds.length === 0 || !(await EnrollmentModel.exists(unmarked))) return
  await withInvalidation([`course/${courseId}`], () =>
    EnrollmentModel.updateMany(unmarked, { $set: { test_user: true } }),
  )
}
