import type { NewCourse } from '@assay/shared/courses.ts'
import type { GradebookSettings } from '@assay/shared/gradebook.ts'
import type { z } from 'zod'
import { recordAudit } from '../../audit/audit.service.ts'
import { AppError, invalidField, notFound } from '../../lib/http/app-error.ts'
import type { Actor } from '../../lib/http/handle.ts'
import { type CourseDoc, CourseModel } from '../../records/courses/course.model.ts'
import type { UserDoc } from '../../records/people/user.model.ts'
import { findUserByLogin } from '../users/user.service.ts'

type CourseFields = z.output<typeof NewCourse>
export const courseFields = ({ name, description, course_code, time_zone }: CourseFields): CourseFields => ({
  name,
  description,
  course_code,
  ...(time_zone ? { time_zone } : {}),
})

export async function updateCourse(
  course: CourseDoc,
  changes: CourseFields,
  actor: Actor,
  now: Date,
): Promise<CourseDoc> {
  const set = { ...courseFields(changes), updated_at: now }
  const changed = await CourseModel.findOneAndUpdate({ _id: course._id }, { $set: set }).lean()
  if (!changed) throw notFound('This course does not exist.')
  const subject = { course_id: course._id }
  await recordAudit(actor, 'course.updated', subject, now, {
    before: courseFields(course),
    after: courseFields(changes),
  })
  return changed
}

/** Each assignment by itself, so that of two changes at once neither is lost. */
export async function storeGradebookSettings(
  course: CourseDoc,
  { drop_lowest, assignments = [] }: z.output<typeof GradebookSettings>,
  actor: Actor,
  now: Date,
): Promise<void> {
  const set = {
    ...(drop_lowest === undefined ? {} : { 'gradebook.drop_lowest': drop_lowest }),
    ...Object.fromEntries(
      assignments.map(({ assignment_id, ...one }) => [`gradebook.assignments.${assignment_id}`, one]),
    ),
  }
  const changed = await CourseModel.findOneAndUpdate({ _id: course._id }, { $set: { ...set, updated_at: now } }).lean()
  if (!changed) throw notFound('This course does not exist.')
  const change = { before: course.gradebook ?? null, after: changed.gradebook }
  await recordAudit(actor, 'course.gradebook_changed', { course_id: course._id }, now, change)
}

/** An unconfirmed address does not count: the account may not belong to its owner. */
async function findInstructorByLogin(login: string): Promise<UserDoc | null> {
  const user = await findUserByLogin(login)
  if (!user || user.role === 'student' || user.account !== 'active') return null
  return login.includes('@') && user.email_verified_at == null ? null : user
}

/** @throws {AppError} `validation_failed` for an unknown instructor, `duplicate` for one who teaches it already */
export async function addInstructor(course: CourseDoc, login: string, actor: Actor, now: Date): Promise<UserDoc> {
  const user = await findInstructorByLogin(login)
  if (!user) {
    const msg = 'There is no instructor with this username or confirmed email address.'
    throw invalidField('login', msg, 'unknown')
  }
  const added = await CourseModel.updateOne(
    { _id: course._id, instructor_ids: { $ne: user._id } },
    { $push: { instructor_ids: user._id } },
  )
  if (added.modifiedCount === 0)
    throw new AppError('duplicate', `${user.username} is already an instructor of this course.`)
  await recordAudit(actor, 'course.instructor_added', { course_id: course._id, user_id: user._id }, now)
  return user
}

/** @throws {AppError} `conflict` for the last one, and for the creator, whom nobody else but an administrator removes */
export async function removeInstructor(course: CourseDoc, userId: number, actor: Actor, now: Date): Promise<void> {
  if (!course.instructor_ids.includes(userId)) throw notFound('This person is not an instructor of the course.')
  if (userId === course.created_by && actor.id !== userId && actor.role !== 'admin')
    throw new AppError('conflict', 'Only the person who created this course, or an administrator, can do that.')
  // Checked by the database: of two instructors who remove each other at once, one stays.
  const removed = await CourseModel.updateOne(
    { _id: course._id, 'instructor_ids.1': { $exists: true } },
    { $pull: { instructor_ids: userId, lms_instructor_ids: userId } },
  )
  if (removed.modifiedCount === 0) {
    throw new AppError('conflict', 'The last instructor of a course cannot be removed. Add another one first.')
  }
  await recordAudit(actor, 'course.instructor_removed', { course_id: course._id, user_id: userId }, now)
}
