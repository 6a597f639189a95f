import {
  addInstructor as addInstructorEndpoint,
  type Course,
  type CourseDetail,
  type CourseInstructor,
  type CourseStudent,
  createCourse as createCourseEndpoint,
  createJoinCode,
  deleteJoinCode,
  enrolStudent,
  getCourse,
  listCourses,
  listMyCourses,
  removeInstructor as removeInstructorEndpoint,
  removeStudent,
  updateCourse as updateCourseEndpoint,
} from '@assay/shared/courses.ts'
import type { Router } from 'express'
import { AuditModel, recordAudit } from '../../audit/audit.service.ts'
import { limitRequests } from '../../cluster/redis/rate-limit.ts'
import { AppError, notFound } from '../../lib/http/app-error.ts'
import { type Actor, allow, handle } from '../../lib/http/handle.ts'
import { type CourseDoc, CourseModel, EnrollmentModel } from '../../records/courses/course.model.ts'
import type { UserDoc } from '../../records/people/user.model.ts'
import type { Services } from '../../services.ts'
import { requireUser, usersById } from '../users/user.service.ts'
import {
  addInstructor,
  canCreateCourse,
  canOpenCourse,
  canTeach,
  createCourse,
  listAccessibleCourses,
  removeInstructor,
  requireCourseFor,
  requireUnlimited,
  taughtCourseIds,
  updateCourse,
} from './course.service.ts'
import { enrol, notifyAsked, notifyEnrolled, removeEnrollment, requestEnrollment } from './enrollment.service.ts'
import { countEnrolled, enrollmentId, listEnrolledStudents, presentPending } from './enrollment-queries.ts'
import { generateJoinCode } from './join-code.ts'

/** Enough for a lecture hall. */
export const MAX_ENROLLMENTS_PER_HOUR = 600

interface CourseContents {
  countAssignments(courseId: number, which: { publishedOnly: boolean }): Promise<number>
  listAssignments(courseId: number, which: { publishedOnly: boolean }): Promise<CourseDetail['assignments']>
  lmsNames(courseId: number): Promise<string[]>
  /** Counts a mail; false when the teacher has had as many as a day allows. */
  mayInvite(teacherId: number): Promise<boolean>
  changeTimeZone(courseId: number, timeZone: string): Promise<void>
}

export function courseRoutes(router: Router, services: Services, contents: CourseContents): void {
  const { clock } = services
  router.post(
    [enrolStudent.path, addInstructorEndpoint.path],
    limitRequests(services, { name: 'enrolment', limit: MAX_ENROLLMENTS_PER_HOUR }),
  )

  for (const endpoint of [listCourses, listMyCourses]) {
    handle(router, endpoint, async ({ query, actor, setTotal }) => {
      allow('yes') // The list holds only what the caller may open.
      const { courses, total } = await listAccessibleCourses(actor, query)
      setTotal(total)
      return Promise.all(courses.map((course) => presentCourse(course, actor, contents)))
    })
  }

  handle(router, createCourseEndpoint, async ({ body, actor }) => {
    allow(canCreateCourse(actor))
    requireUnlimited(actor)
    return presentCourseDetail(await createCourse(body, actor, clock.now()), actor, contents)
  })

  handle(router, getCourse, async ({ params, actor }) => {
    const course = await requireCourseFor(actor, params.courseId, canOpenCourse, clock.now())
    return presentCourseDetail(course, actor, contents)
  })

  handle(router, updateCourseEndpoint, async ({ params, body, actor }) => {
    const course = await requireCourseFor(actor, params.courseId, canTeach, clock.now())
    const changed = await updateCourse(course, body, actor, clock.now())
    if (changed.time_zone) await contents.changeTimeZone(course._id, changed.time_zone)
    return presentCourseDetail(changed, actor, contents)
  })

  handle(router, addInstructorEndpoint, async ({ params, body, actor }) => {
    const course = await requireCourseFor(actor, params.courseId, canTeach, clock.now())
    const { _id: id, username, full_name } = await addInstructor(course, body.login, actor, clock.now())
    return { id, username, full_name }
  })

  handle(router, removeInstructorEndpoint, async ({ params, actor }) => {
    const course = await requireCourseFor(actor, params.courseId, canTeach, clock.now())
    await removeInstructor(course, params.userId, actor, clock.now())
    return { message: 'The instructor was removed from the course.' }
  })

  handle(router, enrolStudent, async ({ params, body, actor }) => {
    const course = await requireCourseFor(actor, params.courseId, canTeach, clock.now())
    const user = await findKnownStudent(actor, body.user_id)
    if (!user) return askToEnrol(course, body.user_id, actor)
    assertNotOnOtherRoster(user, course)
    const enrolled = await enrol(course, user, clock.now())
    const subject = { course_id: course._id, user_id: user._id }
    await recordAudit(actor, 'student.enrolled', subject, clock.now())
    await notifyEnrolled(course, [user], services)
    return enrolled
  })

  handle(router, removeStudent, async ({ params, actor }) => {
    const course = await requireCourseFor(actor, params.courseId, canTeach, clock.now())
    const removed = await removeEnrollment(course, params.userId)
    if (!removed) throw notFound('This student is not enrolled in the course.')
    const subject = { course_id: course._id, user_id: params.userId }
    await recordAudit(actor, 'student.removed', subject, clock.now())
    // A pending enrolment shows nothing of the account, which may not be the student's.
    const name = removed === 'pending' ? 'The pending student' : (await requireUser(params.userId)).username
    return { message: `${name} was removed from the course.` }
  })

  /** Answers alike whether or not there is such an account. */
  async function askToEnrol(course: CourseDoc, userId: number, actor: Actor): Promise<CourseStudent> {
    const { request, isNew } = await requestEnrollment(course._id, userId, actor.id, clock.now())
    if (isNew && (await contents.mayInvite(actor.id))) {
      const students = [...(await usersById([userId])).values()].filter(({ role }) => role === 'student')
      notifyAsked(course, students, services).catch((error: unknown) => services.log.error({ err: error }, 'no mail'))
    }
    return presentPending(request)
  }
}

async function isOrWasEnrolled(userId: number, courseIds: number[]): Promise<boolean> {
  const [now, before] = await Promise.all([
    EnrollmentModel.exists({ _id: { $in: courseIds.map((courseId) => enrollmentId(courseId, userId)) } }),
    AuditModel.exists({
      action: 'student.enrolled',
      'subject.user_id': userId,
      'subject.course_id': { $in: courseIds },
    }),
  ])
  return now !== null || before !== null
}

/** Null unless a student of the teacher's own courses, as the reply names them. @throws {AppError} in an LMS course */
async function findKnownStudent(actor: Actor, userId: number): Promise<UserDoc | null> {
  if (actor.launchId) {
    throw new AppError(
      'auth_insufficient_permissions',
      'Opened from an LMS, nobody is enrolled by ID. Enrol them in the course there, and they are here after the next roster sync. Add somebody who is not in the LMS by email in the roster, or sign in to Assay at its own address to enrol by ID.',
    )
  }
  if (actor.role === 'admin') return requireUser(userId)
  const isKnown = await isOrWasEnrolled(userId, await taughtCourseIds(actor))
  const user = isKnown ? await requireUser(userId) : null
  return user?.role === 'student' ? user : null
}

/** The address a teacher gives signs in, and must not open another course's work. @throws {AppError} `conflict` */
function assertNotOnOtherRoster({ roster_course_id }: UserDoc, course: CourseDoc): void {
  if (roster_course_id == null || roster_course_id === course._id) return
  throw new AppError(
    'conflict',
    'This student has no email address and is on another course’s roster. Add them to this one by name and number, with a CSV file.',
  )
}

async function presentCourse(course: CourseDoc, actor: Actor, contents: CourseContents): Promise<Course> {
  const publishedOnly = actor.role === 'student'
  const [student_count, assignment_count] = await Promise.all([
    countEnrolled(course._id),
    contents.countAssignments(course._id, { publishedOnly }),
  ])
  return {
    id: course._id,
    name: course.name,
    description: course.description,
    course_code: course.course_code,
    student_count,
    assignment_count,
    created_at: course.created_at.toISOString(),
    updated_at: course.updated_at.toISOString(),
  }
}

async function presentInstructors(course: CourseDoc): Promise<CourseInstructor[]> {
  const users = await usersById(course.instructor_ids)
  return course.instructor_ids.flatMap((id) => {
    const user = users.get(id)
    return user ? [{ id, username: user.username, full_name: user.full_name }] : []
  })
}

async function presentCourseDetail(course: CourseDoc, actor: Actor, contents: CourseContents): Promise<CourseDetail> {
  const isStudent = actor.role === 'student'
  const [overview, students, assignments, instructors, lms_names] = await Promise.all([
    presentCourse(course, actor, contents),
    isStudent ? [] : listEnrolledStudents(course._id, { skip: 0, limit: 500 }, { counted: true }),
    contents.listAssignments(course._id, { publishedOnly: isStudent }),
    presentInstructors(course),
    isStudent ? [] : contents.lmsNames(course._id),
  ])
  return {
    ...overview,
    students,
    assignments,
    instructors,
    join_code: isStudent ? null : (course.join_code ?? null),
    time_zone: course.time_zone ?? 'UTC',
    lms_names,
  }
}

export function joinCodeRoutes(router: Router, { clock }: Services): void {
  handle(router, createJoinCode, async ({ params, actor }) => {
    const course = await requireCourseFor(actor, params.courseId, canTeach, clock.now())
    const join_code = await generateJoinCode(course)
    // The code gives access to the course and must not be logged.
    await recordAudit(actor, 'course.join_code_made', { course_id: course._id }, clock.now())
    return { join_code }
  })

  handle(router, deleteJoinCode, async ({ params, actor }) => {
    const course = await requireCourseFor(actor, params.courseId, canTeach, clock.now())
    await CourseModel.updateOne({ _id: course._id }, { $set: { join_code: null } })
    await recordAudit(actor, 'course.join_code_switched_off', { course_id: course._id }, clock.now())
    return { message: 'Joining by code is turned off.' }
  })
}
