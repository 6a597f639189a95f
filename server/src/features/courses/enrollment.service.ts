import type { CourseStudent } from '@assay/shared/courses.ts'
import { AppError } from '../../lib/app-error.ts'
import { whileChanging } from '../analytics/changes.ts'
import type { UserDoc } from '../users/user.model.ts'
import { usersById } from '../users/user.service.ts'
import {
  type CourseDoc,
  type EnrollmentDoc,
  EnrollmentModel,
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
  return presentStudent(user, now)
}

/** Stores who is on the course now; false for someone who was on it before, about whom nothing changes. */
export async function keepEnrollment(
  course: CourseDoc,
  userId: number,
  more: Pick<EnrollmentDoc, 'added_by'>,
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
 * Puts someone whose address has just been confirmed on every course that was waiting for its owner. Run twice, it comes
 * to the same.
 */
export async function enrolConfirmed(userId: number, now: Date): Promise<number[]> {
  const waiting = await PendingEnrollmentModel.find({ user_id: userId }).lean()
  for (const { invited_by: _, ...place } of waiting) {
    const enrollment = { ...place, enrolled_at: now }
    await storeEnrollment(enrollment)
    await PendingEnrollmentModel.deleteOne({ _id: place._id })
  }
  return waiting.map(({ course_id }) => course_id)
}

/** Takes a student off the course. Their submissions and grades stay. */
export async function removeEnrollment(course: CourseDoc, user: UserDoc): Promise<boolean> {
  const removed = await whileChanging([`course/${course._id}`], () =>
    EnrollmentModel.deleteOne({ _id: idOf(course._id, user._id) }),
  )
  return removed.deletedCount > 0
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
    return user ? [presentStudent(user, enrollment.enrolled_at)] : []
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

function presentStudent(user: UserDoc, enrolledAt: Date): CourseStudent {
  return {
    id: user._id,
    username: user.username,
    full_name: user.full_name,
    email: user.email,
    enrolled_at: enrolledAt.toISOString(),
  }
}
