import type { CourseStudent } from '@assay/shared/courses.ts'
import { AppError } from '../../lib/http/app-error.ts'
import { type CourseDoc, type EnrollmentDoc, EnrollmentModel } from '../../records/courses/course.model.ts'
import { type PendingEnrollmentDoc, PendingEnrollmentModel } from '../../records/courses/pending-enrollment.model.ts'
import { withInvalidation } from '../../records/grading/analytics-invalidation.ts'
import type { UserDoc } from '../../records/people/user.model.ts'
import { usersById } from '../users/user.service.ts'

const enrollmentId = (courseId: number, userId: number) => `${courseId}/${userId}`

export async function isEnrolled(userId: number, courseId: number): Promise<boolean> {
  return (await EnrollmentModel.exists({ _id: enrollmentId(courseId, userId) })) !== null
}

/** @throws {AppError} `duplicate` when enrolled already, `validation_failed` when it is not a student's account */
export async function enrol(course: CourseDoc, user: UserDoc, now: Date): Promise<CourseStudent> {
  if (user.role !== 'student') {
    throw new AppError('validation_failed', undefined, {
      details: [
        {
          loc: ['body', 'user_id'],
          msg: `${user.username} is not a student and cannot be enrolled.`,
          type: 'role',
        },
      ],
    })
  }
  if (!(await addEnrollment(course, user._id, { added_by: 'teacher' }, now)))
    throw new AppError('duplicate', `${user.username} is enrolled in this course already.`)
  return presentStudent(user, { enrolled_at: now })
}

type SchoolIds = Pick<EnrollmentDoc, 'external_user_id' | 'sis_user_id'>
type NewEnrollment = Pick<EnrollmentDoc, 'user_id' | 'added_by' | 'test_user'> & SchoolIds

/** False for someone who was enrolled before; nothing changes for them. */
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
  // Most of a roster that is imported again is enrolled already, and must not invalidate the statistics.
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
  return stored.upsertedCount
}

/** Which of some users are enrolled. */
export async function findEnrolledIds(courseId: number, userIds: number[]): Promise<Set<number>> {
  if (userIds.length === 0) return new Set()
  const _id = { $in: userIds.map((userId) => enrollmentId(courseId, userId)) }
  const found = await EnrollmentModel.find({ _id }, { user_id: 1 }).lean()
  return new Set(found.map(({ user_id }) => user_id))
}

/**
 * For enrolled people whom a teacher has named again: from now on they count as added by a teacher, with the school's
 * numbers where there are any.
 */
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

type NewPendingEnrollment = Pick<PendingEnrollmentDoc, 'user_id' | 'email' | 'invited_by'> & SchoolIds

/** For the owners of unconfirmed addresses; existing ones are updated. */
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

/** Which of some users have a pending enrolment. */
export async function findPendingIds(courseId: number, userIds: number[]): Promise<Set<number>> {
  const _id = { $in: userIds.map((userId) => enrollmentId(courseId, userId)) }
  const found = await PendingEnrollmentModel.find({ _id }, { user_id: 1 }).lean()
  return new Set(found.map(({ user_id }) => user_id))
}

/**
 * Enrols someone whose address has just been confirmed in every course with a pending enrolment for it. Pending enrolments
 * for an earlier address of the account stay pending: they are another person's. Idempotent.
 */
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

/** For a course that is deleted. Returns how many there were. */
export async function removeAllEnrollments(courseId: number): Promise<number> {
  const [enrolled, pending] = await Promise.all([
    withInvalidation([`course/${courseId}`], () => EnrollmentModel.deleteMany({ course_id: courseId })),
    PendingEnrollmentModel.deleteMany({ course_id: courseId }),
  ])
  return enrolled.deletedCount + pending.deletedCount
}

/** Removes a student or their pending enrolment; false if there was neither. Their submissions and grades stay. */
export async function removeEnrollment(course: CourseDoc, user: UserDoc): Promise<boolean> {
  const _id = enrollmentId(course._id, user._id)
  const [enrolled, pending] = await Promise.all([
    withInvalidation([`course/${course._id}`], () => EnrollmentModel.deleteOne({ _id })),
    PendingEnrollmentModel.deleteOne({ _id }),
  ])
  return enrolled.deletedCount + pending.deletedCount > 0
}

/** Removes those whom only an LMS has added, and returns their ids. Their work stays. */
export async function removeLmsEnrollments(courseId: number, userIds: number[]): Promise<number[]> {
  if (userIds.length === 0) return []
  const theirs = { _id: { $in: userIds.map((userId) => enrollmentId(courseId, userId)) }, added_by: 'lms' as const }
  const found = await EnrollmentModel.find(theirs, { user_id: 1 }).lean()
  if (found.length === 0) return []
  await withInvalidation([`course/${courseId}`], () => EnrollmentModel.deleteMany(theirs))
  return found.map(({ user_id }) => user_id)
}

/** An LMS may say who is a test student only after it has listed them. Invalidates the statistics, which leave them out. */
export async function markTestUsers(courseId: number, userIds: number[]): Promise<void> {
  const unmarked = { _id: { $in: userIds.map((id) => enrollmentId(courseId, id)) }, test_user: { $ne: true } }
  if (userIds.length === 0 || !(await EnrollmentModel.exists(unmarked))) return
  await withInvalidation([`course/${courseId}`], () =>
    EnrollmentModel.updateMany(unmarked, { $set: { test_user: true } }),
  )
}

/** Who is enrolled, without test students. */
export async function findCountedStudentIds(courseId: number): Promise<Set<number>> {
  const found = await EnrollmentModel.find({ course_id: courseId, test_user: { $ne: true } }, { user_id: 1 }).lean()
  return new Set(found.map(({ user_id }) => user_id))
}

/** The test students of a course. */
export async function findTestUserIds(courseId: number): Promise<Set<number>> {
  const found = await EnrollmentModel.find({ course_id: courseId, test_user: true }, { user_id: 1 }).lean()
  return new Set(found.map(({ user_id }) => user_id))
}

/** @param counted whether to leave test students out, as statistics do */
export async function listEnrolledStudents(
  courseId: number,
  paging: { skip: number; limit: number },
  { counted = false }: { counted?: boolean } = {},
): Promise<CourseStudent[]> {
  const enrollments = await EnrollmentModel.find({
    course_id: courseId,
    ...(counted ? { test_user: { $ne: true } } : {}),
  })
    .sort({ enrolled_at: 1, _id: 1 })
    .skip(paging.skip)
    .limit(paging.limit)
    .lean()
  const users = await usersById(enrollments.map((enrollment) => enrollment.user_id))
  return enrollments.flatMap((enrollment) => {
    const user = users.get(enrollment.user_id)
    return user ? [presentStudent(user, enrollment)] : []
  })
}

/** Those of some users who are enrolled, by their ids. */
export async function enrolledStudentsById(courseId: number, userIds: number[]): Promise<Map<number, CourseStudent>> {
  const [enrollments, users] = await Promise.all([
    EnrollmentModel.find({ _id: { $in: userIds.map((userId) => enrollmentId(courseId, userId)) } }).lean(),
    usersById(userIds),
  ])
  return new Map(
    enrollments.flatMap((enrollment) => {
      const user = users.get(enrollment.user_id)
      return user ? [[user._id, presentStudent(user, enrollment)] as const] : []
    }),
  )
}

/** Every enrolled account, for matching papers to people. */
export async function enrolledUsers(courseId: number): Promise<UserDoc[]> {
  const enrollments = await EnrollmentModel.find({ course_id: courseId }, { user_id: 1 }).lean()
  return [...(await usersById(enrollments.map((enrollment) => enrollment.user_id))).values()]
}

/** With the school's numbers for them, in the order they were enrolled. */
export function enrollmentsOfCourse(
  courseId: number,
): Promise<Pick<EnrollmentDoc, 'user_id' | 'external_user_id' | 'sis_user_id'>[]> {
  return EnrollmentModel.find({ course_id: courseId }, { user_id: 1, external_user_id: 1, sis_user_id: 1 })
    .sort({ enrolled_at: 1, _id: 1 })
    .lean()
}

/** Test students included. */
export function countEnrollments(courseId: number): Promise<number> {
  return EnrollmentModel.countDocuments({ course_id: courseId })
}

/** Without test students. */
export async function countEnrolled(courseId: number): Promise<number> {
  const [all, tests] = await Promise.all([
    countEnrollments(courseId),
    EnrollmentModel.countDocuments({ course_id: courseId, test_user: true }),
  ])
  return all - tests
}

/** Of a course, test students included; only of some users if `userIds` are given. */
export function findEnrollments(courseId: number, userIds?: number[]): Promise<EnrollmentDoc[]> {
  return userIds === undefined
    ? EnrollmentModel.find({ course_id: courseId }).lean()
    : EnrollmentModel.find({ _id: { $in: userIds.map((id) => `${courseId}/${id}`) } }).lean()
}

export function enrollmentsOfUser(userId: number): Promise<EnrollmentDoc[]> {
  return EnrollmentModel.find({ user_id: userId }).sort({ enrolled_at: -1, _id: -1 }).lean()
}

export function findEnrollment(userId: number, courseId: number): Promise<EnrollmentDoc | null> {
  return EnrollmentModel.findById(enrollmentId(courseId, userId)).lean()
}

function presentStudent(
  user: UserDoc,
  enrollment: Pick<EnrollmentDoc, 'enrolled_at' | 'added_by' | 'external_user_id' | 'sis_user_id'>,
): CourseStudent {
  return {
    id: user._id,
    username: user.username,
    full_name: user.full_name,
    email: user.email,
    enrolled_at: enrollment.enrolled_at.toISOString(),
    state: user.account === 'invited' ? 'invited' : 'enrolled',
    external_user_id: enrollment.external_user_id ?? null,
    sis_user_id: enrollment.sis_user_id ?? null,
    added_by: enrollment.added_by ?? 'teacher',
    test_student: user.test_user ?? false,
  }
}
