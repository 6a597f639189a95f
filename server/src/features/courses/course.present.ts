import type { Course, CourseDetail, CourseInstructor } from '@assay/shared/courses.ts'
import type { Actor } from '../../lib/http/handle.ts'
import type { CourseDoc } from '../../records/courses/course.model.ts'
import { usersById } from '../users/user.service.ts'
import { countEnrolled, listEnrolledStudents } from './enrollment-queries.ts'

/** What features that build on this one know of a course; the app passes it in. */
export interface CourseContents {
  countAssignments(courseId: number, which: { publishedOnly: boolean }): Promise<number>
  listAssignments(courseId: number, which: { publishedOnly: boolean }): Promise<CourseDetail['assignments']>
  lmsNames(courseId: number): Promise<string[]>
}

/** Students count only what is published. */
export async function presentCourse(course: CourseDoc, actor: Actor, contents: CourseContents): Promise<Course> {
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

/** With the course's people only for those who teach it. */
export async function presentCourseDetail(
  course: CourseDoc,
  actor: Actor,
  contents: CourseContents,
): Promise<CourseDetail> {
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
    lms_names,
  }
}
