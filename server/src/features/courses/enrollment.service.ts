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

/** Stores who is on the course now; false for someone who was on it before, about whom nothing changes. */
export async function addEnrollment(
  course: CourseDoc,
  userId: number,
  more: Pick<EnrollmentDoc, 'added_by'> & SchoolIds,
  now: Date,
): Promise<boolean> {
  const stored = await addEnrollments(course._id, [{ user_id: userId, ...more }], now)
  return stored > 0
}

/** The one way onto a course. How many were not on it before; about the others nothing changes. */
export async function addEnrollments(course_id: number, people: NewEnrollment[], now: Date): Promise<number> {
  if (people.length === 0) return 0
  // Most of a roster that comes anew is on it already, and changes no figures.
  const on = await findEnrolledIds(
    course_id,
    people.map(({ user_id }) => user_id),
  )
  const missing = people.filter(({ user_id }) => !on.has(user_id))
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

/** Which of some people are on the course. */
export async function findEnrolledIds(courseId: number, userIds: number[]): Promise<Set<number>> {
  if (userIds.length === 0) return new Set()
  const _id = { $in: userIds.map((userId) => enrollmentId(courseId, userId)) }
  const found = await EnrollmentModel.find({ _id }, { user_id: 1 }).lean()
  return new Set(found.map(({ user_id }) => user_id))
}

/**
 * A teacher named people who are on the course already: now they are vouched for, and have the school's numbers where it
 * gave any.
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

/** Keeps places for the owners of addresses that are not confirmed; one kept before gets what is new about it. */
export async function addPendingEnrollments(
  courseId: number,
  places: NewPendingEnrollment[],
  now: Date,
): Promise<void> {
  if (places.length === 0) return
  const first = { course_id: courseId, enrolled_at: now, added_by: 'teacher' as const }
  await PendingEnrollmentModel.bulkWrite(
    places.map(({ user_id, ...place }) => ({
      updateOne: {
        filter: { _id: enrollmentId(courseId, user_id) },
        update: { $set: place, $setOnInsert: { ...first, user_id } },
        upsert: true,
      },
    })),
    { ordered: false },
  )
}

/** For whom of some people a place is kept already. */
export async function findPendingIds(courseId: number, userIds: number[]): Promise<Set<number>> {
  const _id = { $in: userIds.map((userId) => enrollmentId(courseId, userId)) }
  const found = await PendingEnrollmentModel.find({ _id }, { user_id: 1 }).lean()
  return new Set(found.map(({ user_id }) => user_id))
}

/**
 * Puts someone whose address has just been confirmed on every course that was waiting for its owner. Places kept for an
 * address the account has no more stay kept: they are another person's. Run twice, it comes to the same.
 */
export async function activatePendingEnrollments(userId: number, now: Date): Promise<number[]> {
  const [waiting, users] = await Promise.all([
    PendingEnrollmentModel.find({ user_id: userId }).lean(),
    usersById([userId]),
  ])
  const address = users.get(userId)?.email_key
  const theirs = waiting.filter(({ email }) => email.toLowerCase() === address)
  for (const { _id, course_id, external_user_id, sis_user_id } of theirs) {
    const numbers = { external_user_id: external_user_id ?? null, sis_user_id: sis_user_id ?? null }
    const person = { user_id: userId, ...numbers }
    const stored = await addEnrollments(course_id, [{ ...person, added_by: 'teacher' }], now)
    if (stored === 0) await markAddedByTeacher(course_id, [person])
    await PendingEnrollmentModel.deleteOne({ _id })
  }
  return theirs.map(({ course_id }) => course_id)
}

/** With the course they were for. */
export async function removeAllEnrollments(courseId: number): Promise<number> {
  const [enrolled, kept] = await Promise.all([
    withInvalidation([`course/${courseId}`], () => EnrollmentModel.deleteMany({ course_id: courseId })),
    PendingEnrollmentModel.deleteMany({ course_id: courseId }),
  ])
  return enrolled.deletedCount + kept.deletedCount
}

/** Takes a student off the course, or gives up the place kept for them. Their submissions and grades stay. */
export async function removeEnrollment(course: CourseDoc, user: UserDoc): Promise<boolean> {
  const _id = enrollmentId(course._id, user._id)
  const [enrolled, kept] = await Promise.all([
    withInvalidation([`course/${course._id}`], () => EnrollmentModel.deleteOne({ _id })),
    PendingEnrollmentModel.deleteOne({ _id }),
  ])
  return enrolled.deletedCount + kept.deletedCount > 0
}

/** Takes those off the course whom only an LMS has put there; which of them it were. Their work stays. */
export async function removeLmsEnrollments(courseId: number, userIds: number[]): Promise<number[]> {
  if (userIds.length === 0) return []
  const theirs = { _id: { $in: userIds.map((userId) => enrollmentId(courseId, userId)) }, added_by: 'lms' as const }
  const found = await EnrollmentModel.find(theirs, { user_id: 1 }).lean()
  if (found.length === 0) return []
  await withInvalidation([`course/${courseId}`], () => EnrollmentModel.deleteMany(theirs))
  return found.map(({ user_id }) => user_id)
}

/** Of test students and who they are: an LMS may say so only after it has listed them. Figures are made anew without them. */
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

/** @param counted whether to leave test students out, as figures do */
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

/** Some of the course's students by the ids of their accounts. */
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

export function presentStudent(
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
