import type { CourseStudent } from '@assay/shared/courses.ts'
import { AppError, invalidField, notFound } from '../../lib/http/app-error.ts'
import type { Actor } from '../../lib/http/handle.ts'
import { type CourseDoc, CourseModel, type EnrollmentDoc, EnrollmentModel } from '../../records/courses/course.model.ts'
import { type PendingEnrollmentDoc, PendingEnrollmentModel } from '../../records/courses/pending-enrollment.model.ts'
import { withInvalidation } from '../../records/grading/analytics-invalidation.ts'
import type { UserDoc } from '../../records/people/user.model.ts'
import type { Services } from '../../services.ts'
import { mailedName } from '../users/notifications/mailed-name.ts'
import { notify } from '../users/notifications/notify.ts'
import { usersById } from '../users/user.service.ts'
import { enrollmentId, findEnrolledIds, presentCourseStudent } from './enrollment-queries.ts'

/** @throws {AppError} `duplicate`; `validation_failed` for an account that is not a student's */
export async function enrol(course: CourseDoc, user: UserDoc, now: Date): Promise<CourseStudent> {
  if (user.role !== 'student')
    throw invalidField('user_id', 'Only students can be enrolled. This is another kind of account.', 'role')
  if (!(await addEnrollment(course, user._id, { added_by: 'teacher' }, now)))
    throw new AppError('duplicate', `${user.username} is already enrolled in this course.`)
  return presentCourseStudent(user, { enrolled_at: now })
}

export type SchoolIds = Pick<EnrollmentDoc, 'external_user_id' | 'sis_user_id' | 'canvas_user_id'>
type NewEnrollment = Pick<EnrollmentDoc, 'user_id' | 'added_by' | 'test_user'> & SchoolIds

export async function addEnrollment(
  course: CourseDoc,
  userId: number,
  more: Pick<EnrollmentDoc, 'added_by'> & SchoolIds,
  now: Date,
): Promise<boolean> {
  const stored = await addEnrollments(course._id, [{ user_id: userId, ...more }], now)
  return stored > 0
}

export async function addEnrollments(course_id: number, people: NewEnrollment[], now: Date): Promise<number> {
  if (people.length === 0) return 0
  // Most of a roster imported again is enrolled already and must not invalidate the statistics.
  const ids = people.map(({ user_id }) => user_id)
  const enrolled = await findEnrolledIds(course_id, ids)
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

export async function markAddedByTeacher(courseId: number, people: (Pick<EnrollmentDoc, 'user_id'> & SchoolIds)[]) {
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

export async function removeEnrollment(course: CourseDoc, userId: number): Promise<'enrolled' | 'pending' | null> {
  const _id = enrollmentId(course._id, userId)
  const [enrolled, pending] = await Promise.all([
    withInvalidation([`course/${course._id}`], () => EnrollmentModel.deleteOne({ _id })),
    PendingEnrollmentModel.deleteOne({ _id }),
  ])
  if (enrolled.deletedCount > 0) return 'enrolled'
  return pending.deletedCount > 0 ? 'pending' : null
}

export async function removeLmsEnrollments(courseId: number, userIds: number[]): Promise<number[]> {
  if (userIds.length === 0) return []
  const theirs = { _id: { $in: userIds.map((userId) => enrollmentId(courseId, userId)) }, added_by: 'lms' as const }
  const found = await EnrollmentModel.find(theirs, { user_id: 1 }).lean()
  if (found.length === 0) return []
  await withInvalidation([`course/${courseId}`], () => EnrollmentModel.deleteMany(theirs))
  return found.map(({ user_id }) => user_id)
}

/** Invalidates the statistics, which leave test students out. */
export async function markTestUsers(courseId: number, userIds: number[]): Promise<void> {
  const unmarked = { _id: { $in: userIds.map((id) => enrollmentId(courseId, id)) }, test_user: { $ne: true } }
  if (userIds.length === 0 || !(await EnrollmentModel.exists(unmarked))) return
  await withInvalidation([`course/${courseId}`], () =>
    EnrollmentModel.updateMany(unmarked, { $set: { test_user: true } }),
  )
}

type NewPendingEnrollment = Pick<PendingEnrollmentDoc, 'user_id' | 'email' | 'invited_by'> & SchoolIds

export async function addPendingEnrollments(courseId: number, pending: NewPendingEnrollment[], now: Date) {
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

/** @throws {AppError} `resource_not_found` */
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

type MailServices = Pick<Services, 'mail' | 'config'>

export async function notifyEnrolled(course: CourseDoc, users: UserDoc[], services: MailServices): Promise<void> {
  const link = `${services.config.publicUrl}/student/courses/${course._id}`
  const name = mailedName(course.name, 'a course')
  const text = `You are now enrolled in the course “${name}”. Open it here:\n\n${link}`
  await mailStudents(users, `You are enrolled in ${name}`, text, `enrolled/${course._id}`, services)
}

export async function notifyAsked(course: CourseDoc, users: UserDoc[], services: MailServices): Promise<void> {
  const name = mailedName(course.name, 'A course')
  const text = `“${name}” would like to enrol you. Accept or decline in your courses:\n\n${services.config.publicUrl}/student/courses`
  await mailStudents(users, `${name} would like to enrol you`, text, `asked/${course._id}`, services)
}

const mailStudents = (users: UserDoc[], subject: string, text: string, key: string, services: MailServices) =>
  notify(
    users,
    'courses',
    (user) => {
      const name = mailedName(user.full_name ?? '', mailedName(user.username, 'student'))
      return { subject, text: `Hello ${name},\n\n${text}` }
    },
    key,
    services,
  )

export async function reassignCourses(from: number, to: number): Promise<void> {
  for (const course of await CourseModel.find({ instructor_ids: from }).lean()) {
    const byLms = course.lms_instructor_ids ?? []
    // Somebody who teaches it independently of the LMS still does so when the LMS removes them.
    const independent = course.instructor_ids.includes(to) && !byLms.includes(to)
    const withTo = (ids: number[]) => [...new Set(ids.map((id) => (id === from ? to : id)))]
    const lms = withTo(byLms).filter((id) => id !== to || !independent)
    await CourseModel.updateOne(
      { _id: course._id, instructor_ids: course.instructor_ids },
      { $set: { instructor_ids: withTo(course.instructor_ids), lms_instructor_ids: lms } },
    )
  }
  await CourseModel.updateMany({ created_by: from }, { $set: { created_by: to } })
}

export async function reassignEnrollment(enrollment: EnrollmentDoc, to: number): Promise<void> {
  const { _id, course_id, enrolled_at, added_by = 'lms', ...numbers } = enrollment
  const { external_user_id = null, sis_user_id = null, canvas_user_id = null } = numbers
  const person = { user_id: to, added_by, external_user_id, sis_user_id, canvas_user_id }
  await addEnrollments(course_id, [person], enrolled_at)
  await withInvalidation([`course/${course_id}`], () => EnrollmentModel.deleteOne({ _id }))
}
