import type { Course, CourseDetail } from '@assay/shared/courses.ts'
import type { Actor } from '../../lib/handle.ts'
import { assignmentsOfCourse, countAssignments } from '../assignments/assignment.service.ts'
import type { CourseDoc } from './course.model.ts'
import { countEnrolled, enrolledStudents } from './enrollment.service.ts'

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

/** With assignments; and with its people, for those who teach it. */
export async function presentCourseDetail(course: CourseDoc, actor: Actor): Promise<CourseDetail> {
  const isStudent = actor.role === 'student'
  const [overview, students, assignments] = await Promise.all([
    presentCourse(course, actor),
    isStudent ? [] : enrolledStudents(course._id, { skip: 0, limit: 500 }),
    assignmentsOfCourse(course._id, { publishedOnly: isStudent }),
  ])
  return {
    ...overview,
    students,
    assignments: assignments.map((assignment) => ({
      id: assignment._id,
      title: assignment.title,
      status: assignment.status,
      created_at: assignment.created_at.toISOString(),
    })),
  }
}
