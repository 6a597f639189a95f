import type { NewCourse } from '@assay/shared/courses.ts'
import type { GradebookSettings } from '@assay/shared/gradebook.ts'
import type { GradebookRules } from '@assay/shared/rules/course-total.ts'
import type { z } from 'zod'
import { recordCourseAccess } from '../../audit/admin-access.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { nextId } from '../../lib/database/database.ts'
import { AppError, invalidField, notFound, orNotFound } from '../../lib/http/app-error.ts'
import { type Actor, allow, type Permission } from '../../lib/http/handle.ts'
import { countEach } from '../../lib/numbers.ts'
import { type CourseDoc, CourseModel } from '../../records/courses/course.model.ts'
import { reachableCourses } from '../../records/lti/reachable-courses.ts'
import type { UserDoc } from '../../records/people/user.model.ts'
import { findUserByLogin } from '../users/user.service.ts'
import { enrollmentsOfUser, isEnrolled } from './enrollment-queries.ts'

export const requireCourse = (id: number): Promise<CourseDoc> =>
  orNotFound(CourseModel.findById(id).lean(), 'This course does not exist.')

type CoursePolicy = (actor: Actor, course: CourseDoc) => Permission | Promise<Permission>

/** Audits administrators' access. @throws {AppError} `resource_not_found`, `auth_insufficient_permissions` */
export async function requireCourseFor(
  actor: Actor,
  courseId: number,
  may: CoursePolicy,
  now: Date,
): Promise<CourseDoc> {
  const course = await requireCourse(courseId)
  allow(await may(actor, course))
  await recordCourseAccess(actor, course, now)
  return course
}

export async function createCourse(
  course: z.output<typeof NewCourse>,
  creator: Pick<Actor, 'id'>,
  now: Date,
): Promise<CourseDoc> {
  const doc: CourseDoc = {
    _id: await nextId('courses'),
    ...courseFields(course),
    created_by: creator.id,
    instructor_ids: [creator.id],
    created_at: now,
    updated_at: now,
  }
  await CourseModel.create(doc)
  return doc
}

export async function listAccessibleCourses(
  actor: Actor,
  { skip, limit }: { skip: number; limit: number },
): Promise<{ courses: CourseDoc[]; total: number }> {
  const ids =
    actor.role === 'student'
      ? (await enrollmentsOfUser(actor)).map(({ course_id }) => course_id)
      : await taughtCourseIds(actor)
  const filter = { _id: { $in: ids } }
  const [courses, total] = await Promise.all([
    CourseModel.find(filter).sort({ created_at: -1, _id: -1 }).skip(skip).limit(limit).lean(),
    CourseModel.countDocuments(filter),
  ])
  return { courses, total }
}

export const gradebookRulesOf = ({ gradebook }: Pick<CourseDoc, 'gradebook'>): GradebookRules => ({
  drop_lowest: gradebook?.drop_lowest ?? 0,
  assignments: Object.entries(gradebook?.assignments ?? {}).map(([id, one]) => ({ assignment_id: Number(id), ...one })),
})

export const courseExists = async (id: number): Promise<boolean> => (await CourseModel.exists({ _id: id })) !== null

export async function taughtCourses(actor: Actor): Promise<CourseDoc[]> {
  return CourseModel.find({ _id: { $in: await taughtCourseIds(actor) } })
    .sort({ created_at: -1, _id: -1 })
    .lean()
}

export async function discardNewCourse(id: number): Promise<void> {
  await CourseModel.deleteOne({ _id: id })
}

export async function taughtCourseIds(actor: Actor): Promise<number[]> {
  const courses = await CourseModel.find({ instructor_ids: actor.id }, { _id: 1 }).lean()
  const ids = courses.map((course) => course._id)
  return reachableCourses(actor, ids)
}

export const timeZoneOf = async (courseId: number | null): Promise<string> =>
  (courseId === null ? null : await CourseModel.findById(courseId, { time_zone: 1 }).lean())?.time_zone ?? 'UTC'

export async function coursesById(ids: number[]): Promise<Map<number, CourseDoc>> {
  const courses = await CourseModel.find({ _id: { $in: ids } }).lean()
  return new Map(courses.map((course) => [course._id, course]))
}

export async function courseNamesById(ids: number[]): Promise<Map<number, string>> {
  const courses = await CourseModel.find({ _id: { $in: ids } }, { name: 1 }).lean()
  return new Map(courses.map(({ _id, name }) => [_id, name]))
}

export const findCourseByName = (name: string, createdBy: number): Promise<CourseDoc | null> =>
  CourseModel.findOne({ name, created_by: createdBy }).lean()

export const countCourses = (): Promise<number> => CourseModel.countDocuments({})

export async function countCoursesTaught(userIds: number[]): Promise<Map<number, number>> {
  const courses = await CourseModel.find({ instructor_ids: { $in: userIds } }, { instructor_ids: 1 }).lean()
  return countEach(courses.flatMap((course) => course.instructor_ids))
}

/** @throws {AppError} for a session that reaches only the LMS's courses */
export function requireUnlimited({ lmsIssuer }: Actor): void {
  if (!lmsIssuer) return
  throw new AppError(
    'auth_insufficient_permissions',
    'This page was opened from an LMS and reaches only its courses. Sign in with your Assay password to do this.',
  )
}

export const canCreateCourse = (actor: Actor): Permission => (actor.role === 'student' ? 'forbidden' : 'yes')

export async function canTeach(actor: Actor, course: CourseDoc): Promise<Permission> {
  if (actor.role === 'admin') return 'yes'
  if (actor.role !== 'instructor' || !course.instructor_ids.includes(actor.id)) return 'hidden'
  return (await reachableCourses(actor, [course._id])).length > 0 ? 'yes' : 'hidden'
}

export async function canOpenCourse(actor: Actor, course: CourseDoc): Promise<Permission> {
  if (actor.role !== 'student') return canTeach(actor, course)
  return (await isEnrolled(actor, course._id)) ? 'yes' : 'hidden'
}

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

/** @throws {AppError} `validation_failed` for an unknown instructor, `duplicate` */
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

/** @throws {AppError} `conflict` for the last one, and for the creator */
export async function removeInstructor(course: CourseDoc, userId: number, actor: Actor, now: Date): Promise<void> {
  if (!course.instructor_ids.includes(userId)) throw notFound('This person is not an instructor of the course.')
  if (userId === course.created_by && actor.id !== userId && actor.role !== 'admin')
    throw new AppError('conflict', 'Only the person who created this course, or an administrator, can do that.')
  // Checked by the database: of two instructors who remove each other at once, one stays.
  const removed = await CourseModel.updateOne(
    { _id: course._id, 'instructor_ids.1': { $exists: true } },
    { $pull: { instructor_ids: userId, lms_instructor_ids: userId } },
  )
  if (removed.modifiedCount === 0)
    throw new AppError('conflict', 'The last instructor of a course cannot be removed. Add another one first.')
  await recordAudit(actor, 'course.instructor_removed', { course_id: course._id, user_id: userId }, now)
}

export function findInstructors(
  courseId: number,
): Promise<Pick<CourseDoc, '_id' | 'instructor_ids' | 'lms_instructor_ids'> | null> {
  return CourseModel.findById(courseId, { instructor_ids: 1, lms_instructor_ids: 1 }).lean()
}

export const addLmsInstructors = (courseId: number, userIds: number[]): Promise<number[]> =>
  idsChanged(userIds, (id) =>
    CourseModel.updateOne(
      { _id: courseId, instructor_ids: { $ne: id } },
      { $push: { instructor_ids: id, lms_instructor_ids: id } },
    ),
  )

/** Never the last instructor. */
export const removeLmsInstructors = (courseId: number, userIds: number[]): Promise<number[]> =>
  idsChanged(userIds, (id) =>
    CourseModel.updateOne(
      { _id: courseId, lms_instructor_ids: id, 'instructor_ids.1': { $exists: true } },
      { $pull: { instructor_ids: id, lms_instructor_ids: id } },
    ),
  )

async function idsChanged(ids: number[], change: (id: number) => PromiseLike<{ modifiedCount: number }>) {
  const changed: number[] = []
  for (const id of ids) if ((await change(id)).modifiedCount > 0) changed.push(id)
  return changed
}

export async function markCreatedFromLms(courseId: number, creatorId: number): Promise<void> {
  await CourseModel.updateOne({ _id: courseId }, { $set: { lms_instructor_ids: [creatorId] } })
}
