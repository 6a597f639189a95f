import type { CourseStudent } from '@assay/shared/courses.ts'
import { AppError } from '../../lib/app-error.ts'
import { whileChanging } from '../analytics/changes.ts'
import type { UserDoc } from '../users/user.model.ts'
import { usersById } from '../users/user.service.ts'
import {
  type CourseDoc,
  type EnrollmentDoc,
  EnrollmentModel,
  type PendingEnrollmentDoc,
  PendingEnrollmentModel,
} from './course.model.ts'

const idOf = (courseId: number, userId: number) => `${courseId}/${userId}`

export async function isEnrolled(userId: number, courseId: number): Promise<boolean> {
  return (await EnrollmentModel.exists({ _id: idOf(courseId, userId) })) !== null
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
  if (!(await keepEnrollment(course, user._id, { added_by: 'teacher' }, now)))
    throw new AppError('duplicate', `${user.username} is enrolled in this course already.`)
  return presentStudent(user, { enrolled_at: now })
}

/** Stores who is on the course now; false for someone who was on it before, about whom nothing changes. */
export async function keepEnrollment(
  course: CourseDoc,
  userId: number,
  more: Pick<EnrollmentDoc, 'added_by' | 'external_user_id' | 'sis_user_id'>,
  now: Date,
): Promise<boolean> {
  const enrollment: EnrollmentDoc = {
    _id: idOf(course._id, userId),
    course_id: course._id,
    user_id: userId,
    enrolled_at: now,
    ...more,
  }
  return storeEnrollment(enrollment)
}

/** The one way onto a course. False for someone who is on it already. */
export async function storeEnrollment(enrollment: EnrollmentDoc): Promise<boolean> {
  const { _id, course_id } = enrollment
  // Most of a roster that comes anew is on it already, and changes no figures.
  if (await EnrollmentModel.exists({ _id })) return false
  const stored = await whileChanging([`course/${course_id}`], () =>
    EnrollmentModel.updateOne({ _id }, { $setOnInsert: enrollment }, { upsert: true }),
  )
  return stored.upsertedCount > 0
}

/**
 * A teacher named someone who is on the course already: now they are vouched for, and have the school's numbers where it
 * gave any. False for someone who is not on the course.
 */
export async function vouchForEnrolled(
  courseId: number,
  userId: number,
  numbers: Pick<EnrollmentDoc, 'external_user_id' | 'sis_user_id'>,
): Promise<boolean> {
  const given = Object.fromEntries(Object.entries(numbers).filter(([, number]) => number != null))
  const _id = idOf(courseId, userId)
  const found = await whileChanging([`course/${courseId}`], () =>
    EnrollmentModel.updateOne({ _id }, { $set: { added_by: 'teacher', ...given } }),
  )
  return found.matchedCount > 0
}

/** Keeps a place for the owner of an address that is not confirmed; false where one was kept before. */
export async function keepPlace(
  course: CourseDoc,
  user: UserDoc,
  place: Pick<PendingEnrollmentDoc, 'email' | 'invited_by' | 'external_user_id' | 'sis_user_id'>,
  now: Date,
): Promise<boolean> {
  const _id = idOf(course._id, user._id)
  const first = { course_id: course._id, user_id: user._id, enrolled_at: now, added_by: 'teacher' as const }
  const kept = await PendingEnrollmentModel.updateOne(
    { _id },
    { $set: place, $setOnInsert: first },
    { upsert: true },
  )
  return kept.upsertedCount > 0
}

/**
 * Puts someone whose address has just been confirmed on every course that was waiting for its owner. Places kept for an
 * address the account has no more stay kept: they are another person's. Run twice, it comes to the same.
 */
export async function enrolConfirmed(userId: number, now: Date): Promise<number[]> {
  const [waiting, users] = await Promise.all([
    PendingEnrollmentModel.find({ user_id: userId }).lean(),
    usersById([userId]),
  ])
  const address = users.get(userId)?.email_key
  const theirs = waiting.filter(({ email }) => email.toLowerCase() === address)
  for (const { _id, course_id, external_user_id, sis_user_id } of theirs) {
    const numbers = { external_user_id: external_user_id ?? null, sis_user_id: sis_user_id ?? null }
    const place = { _id, course_id, user_id: userId, enrolled_at: now, added_by: 'teacher' as const }
    const stored = await storeEnrollment({ ...place, ...numbers })
    if (!stored) await vouchForEnrolled(course_id, userId, numbers)
    await PendingEnrollmentModel.deleteOne({ _id })
  }
  return theirs.map(({ course_id }) => course_id)
}

/** With the course they were for. */
export async function removeAllEnrollments(courseId: number): Promise<number> {
  const [enrolled, kept] = await Promise.all([
    whileChanging([`course/${courseId}`], () => EnrollmentModel.deleteMany({ course_id: courseId })),
    PendingEnrollmentModel.deleteMany({ course_id: courseId }),
  ])
  return enrolled.deletedCount + kept.deletedCount
}

/** Takes a student off the course, or gives up the place kept for them. Their submissions and grades stay. */
export async function removeEnrollment(course: CourseDoc, user: UserDoc): Promise<boolean> {
  const _id = idOf(course._id, user._id)
  const [enrolled, kept] = await Promise.all([
    whileChanging([`course/${course._id}`], () => EnrollmentModel.deleteOne({ _id })),
    PendingEnrollmentModel.deleteOne({ _id }),
  ])
  return enrolled.deletedCount + kept.deletedCount > 0
}

export async function enrolledStudents(
  courseId: number,
  paging: { skip: number; limit: number },
): Promise<CourseStudent[]> {
  const enrollments = await EnrollmentModel.find({ course_id: courseId })
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

/** Every enrolled account, for matching papers to people. */
export async function enrolledUsers(courseId: number): Promise<UserDoc[]> {
  const enrollments = await EnrollmentModel.find({ course_id: courseId }, { user_id: 1 }).lean()
  return [...(await usersById(enrollments.map((enrollment) => enrollment.user_id))).values()]
}

export function countEnrolled(courseId: number): Promise<number> {
  return EnrollmentModel.countDocuments({ course_id: courseId })
}

export function enrollmentsOf(userId: number): Promise<EnrollmentDoc[]> {
  return EnrollmentModel.find({ user_id: userId }).sort({ enrolled_at: -1, _id: -1 }).lean()
}

export function findEnrollment(userId: number, courseId: number): Promise<EnrollmentDoc | null> {
  return EnrollmentModel.findById(idOf(courseId, userId)).lean()
}

export function presentStudent(
  user: UserDoc,
  enrollment: Pick<EnrollmentDoc, 'enrolled_at' | 'external_user_id' | 'sis_user_id'>,
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
  }
}
