import type { Course, CourseDetail, CourseInstructor } from '@assay/shared/courses.ts'
import type { Actor } from '../../lib/http/handle.ts'
import type { CourseDoc } from '../../records/courses/course.model.ts'
import { assignmentsOfCourse, countAssignments } from '../assignments/assignment.service.ts'
import { presentDates } from '../assignments/assignment-dates.ts'
import { lmsNamesOfCourse } from '../lti/contexts/lms-names.ts'
import { usersById } from '../users/user.service.ts'
import { countEnrolled, listEnrolledStudents } from './enrollment.service.ts'

/** A course as seen by `actor`: students count only what is published. */
export async function presentCourse(course: CourseDoc, actor: Actor): Promise<Course> {
  const publishedOnly = actor.role === 'student'
  const [student_count, assignment_count] = await Promise.all([
    countEnrolled(course._id),
    countAssignments(course._id, { publishedOnly }),
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

export async function presentInstructors(course: CourseDoc): Promise<CourseInstructor[]> {
  const users = await usersById(course.instructor_ids)
  return course.instructor_ids.flatMap((id) => {
    const user = users.get(id)
    return user ? [{ id, username: user.username, full_name: user.full_name }] : []
  })
}

/** With assignments; and with its people, for those who teach it. */
export async function presentCourseDetail(course: CourseDoc, actor: Actor): Promise<CourseDetail> {
  const isStudent = actor.role === 'student'
  const [overview, students, assignments, instructors, lms_names] = await Promise.all([
    presentCourse(course, actor),
    isStudent ? [] : listEnrolledStudents(course._id, { skip: 0, limit: 500 }, { counted: true }),
    assignmentsOfCourse(course._id, { publishedOnly: isStudent }),
    presentInstructors(course),
    isStudent ? [] : lmsNamesOfCourse(course._id),
  ])
  return {
    ...overview,
    students,
    assignments: assignments.map((assignment) => ({
      id: assignment._id,
      title: assignment.title,
      status: assignment.status,
      created_at: assignment.created_at.toISOString(),
      ...presentDates(assignment),
    })),
    instructors,
    join_code: isStudent ? null : (course.join_code ?? null),
    lms_names,
  }
}
