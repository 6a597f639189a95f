import type { NewCourse } from '@assay/shared/courses.ts'
import type { GradebookRules } from '@assay/shared/rules/course-total.ts'
import type { z } from 'zod'
import { recordCourseAccess } from '../../audit/admin-access.ts'
import { nextId } from '../../lib/database/database.ts'
import { allow, type Permission } from '../../lib/http/allow.ts'
import { notFound } from '../../lib/http/app-error.ts'
import type { Actor } from '../../lib/http/handle.ts'
import { type CourseDoc, CourseModel } from '../../records/courses/course.model.ts'
import { reachableCourses } from '../../records/lti/reachable-courses.ts'
import { enrollmentsOfUser } from './enrollment-queries.ts'

export async function requireCourse(id: number): Promise<CourseDoc> {
  const course = await CourseModel.findById(id).lean()
  if (!course) throw notFound('This course does not exist.')
  return course
}

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
    name: course.name,
    description: course.description,
    course_code: course.course_code,
    ...(course.time_zone ? { time_zone: course.time_zone } : {}),
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

export async function courseExists(id: number): Promise<boolean> {
  return (await CourseModel.exists({ _id: id })) !== null
}

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

export async function timeZoneOf(courseId: number | null): Promise<string> {
  return (courseId === null ? null : await CourseModel.findById(courseId, { time_zone: 1 }).lean())?.time_zone ?? 'UTC'
}

export async function coursesById(ids: number[]): Promise<Map<number, CourseDoc>> {
  const courses = await CourseModel.find({ _id: { $in: ids } }).lean()
  return new Map(courses.map((course) => [course._id, course]))
}

export async function courseNamesById(ids: number[]): Promise<Map<number, string>> {
  const courses = await CourseModel.find({ _id: { $in: ids } }, { name: 1 }).lean()
  return new Map(courses.map(({ _id, name }) => [_id, name]))
}

export function findCourseByName(name: string, createdBy: number): Promise<CourseDoc | null> {
  return CourseModel.findOne({ name, created_by: createdBy }).lean()
}

export function countCourses(): Promise<number> {
  return CourseModel.countDocuments({})
}

export async function countCoursesTaught(userIds: number[]): Promise<Map<number, number>> {
  const courses = await CourseModel.find({ instructor_ids: { $in: userIds } }, { instructor_ids: 1 }).lean()
  const counts = new Map<number, number>()
  for (const id of courses.flatMap((course) => course.instructor_ids)) {
    counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  return counts
}
