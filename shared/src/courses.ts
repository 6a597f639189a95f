import { z } from 'zod'
import { assignmentDates } from './assignments.ts'
import { allRoles, defineEndpoint, Id, Paging, Timestamp } from './http/endpoint.ts'
import { TimeZone } from './rules/dates.ts'
import { lineOfText } from './rules/text.ts'
import { User } from './users.ts'

export const CourseStudent = z.object({
  id: Id,
  username: z.string(),
  full_name: z.string().nullable(),
  email: z.string(),
  enrolled_at: Timestamp,
  /**
   * `invited`: has yet to claim the account by the mailed link. `waiting`: for the owner of the address to confirm, or
   * of the user ID (“user 57”, no address) to accept, if there is one; nothing else of the account is shown.
   */
  state: z.enum(['enrolled', 'invited', 'waiting']),
  never_invited: z.literal(true).optional(),
  external_user_id: z.string().nullable(),
  sis_user_id: z.string().nullable(),
  added_by: z.enum(['teacher', 'code', 'lms']),
  test_student: z.boolean(),
  /** By the caller; only in the roster. */
  can_rename: z.literal(true).optional(),
})
export type CourseStudent = z.infer<typeof CourseStudent>

export const CourseAssignment = z.object({
  id: Id,
  title: z.string(),
  status: z.enum(['draft', 'published']),
  created_at: Timestamp,
  ...assignmentDates,
  /** Under the retention rule; omitted for students. */
  work_deletion_at: Timestamp.optional(),
})
export type CourseAssignment = z.infer<typeof CourseAssignment>

export const CourseInstructor = User.pick({ id: true, username: true, full_name: true })
export type CourseInstructor = z.infer<typeof CourseInstructor>

export const Course = z.object({
  id: Id,
  name: z.string(),
  description: z.string().nullable(),
  course_code: z.string().nullable(),
  student_count: z.number().int(),
  assignment_count: z.number().int(),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Course = z.infer<typeof Course>

export const CourseDetail = Course.extend({
  /** The first 500 of `student_count`; `GET /courses/{id}/students` has them all. */
  students: z.array(CourseStudent),
  assignments: z.array(CourseAssignment),
  instructors: z.array(CourseInstructor),
  /** Null while joining is off, and for students. */
  join_code: z.string().nullable(),
  /** Of the calendar days by which late papers lose points. */
  time_zone: z.string(),
  /** The LMSs that manage its roster; empty for students. */
  lms_names: z.array(z.string()),
})
export type CourseDetail = z.infer<typeof CourseDetail>

const blankToNull = (text: string | null | undefined) => (text?.trim() ? text.trim() : null)

export const NewCourse = z.object({
  name: lineOfText('Course name', 200).refine((name) => name !== '', 'Course name is required'),
  description: z.string().max(5000).nullish().transform(blankToNull),
  course_code: z.string().max(50).nullish().transform(blankToNull),
  /** Omitted: as it was, or UTC. */
  time_zone: TimeZone.optional(),
})

export const listCourses = defineEndpoint('get', '/courses', {
  summary: 'The courses the caller teaches or is enrolled in',
  access: allRoles,
  query: Paging,
  reply: z.array(Course),
  hasTotalCount: true,
})

export const listMyCourses = defineEndpoint('get', '/courses/my', {
  summary: 'The same as GET /courses',
  access: allRoles,
  query: Paging,
  reply: z.array(Course),
  hasTotalCount: true,
})

export const createCourse = defineEndpoint('post', '/courses', {
  summary: 'Create a course',
  status: 201,
  body: NewCourse,
  reply: CourseDetail,
})

export const getCourse = defineEndpoint('get', '/courses/:courseId', {
  summary: 'A course',
  access: allRoles,
  reply: CourseDetail,
})

export const updateCourse = defineEndpoint('put', '/courses/:courseId', {
  summary: 'Change a course’s name, description, code and time zone',
  body: NewCourse,
  reply: CourseDetail,
})

export const deleteCourse = defineEndpoint('delete', '/courses/:courseId', {
  summary: 'Delete a course with its assignments, their submissions and grades, and its enrolments',
  reply: z.object({ message: z.string() }),
})

export const addInstructor = defineEndpoint('post', '/courses/:courseId/instructors', {
  summary: 'Add an instructor to the course, by username or confirmed address',
  status: 201,
  body: z.object({
    login: z
      .string({ error: 'Enter a username or an email address' })
      .trim()
      .min(1, 'Enter a username or an email address')
      .max(254),
  }),
  reply: CourseInstructor,
})

export const removeInstructor = defineEndpoint('delete', '/courses/:courseId/instructors/:userId', {
  summary: 'Remove an instructor from a course; the last one stays',
  reply: z.object({ message: z.string() }),
})

export const listCourseStudents = defineEndpoint('get', '/courses/:courseId/students', {
  summary: 'Students and pending enrolments of a course',
  query: Paging.extend({ search: z.string().max(254).optional(), state: CourseStudent.shape.state.optional() }),
  reply: z.array(CourseStudent),
  hasTotalCount: true,
})

export const createJoinCode = defineEndpoint('post', '/courses/:courseId/join-code', {
  summary: 'Create or replace the code students join with; the old one stops working',
  reply: z.object({ join_code: z.string() }),
})

export const deleteJoinCode = defineEndpoint('delete', '/courses/:courseId/join-code', {
  summary: 'Delete the join code',
  reply: z.object({ message: z.string() }),
})

export const enrolStudent = defineEndpoint('post', '/courses/:courseId/enrollments', {
  summary: 'Enrol a student by user ID: at once where the teacher has or had them in a course, else once they accept',
  status: 201,
  body: z.object({
    user_id: z
      .number({ error: 'Please enter a valid user ID' })
      .int('Please enter a valid user ID')
      .positive('Please enter a valid user ID'),
  }),
  reply: CourseStudent,
})

export const removeStudent = defineEndpoint('delete', '/courses/:courseId/enrollments/:userId', {
  summary: 'Remove a student from a course; their work stays',
  reply: z.object({ message: z.string() }),
})
