import type { Assignment } from '@assay/shared/assignments.ts'
import type { Course, CourseAssignment, CourseDetail, CourseStudent } from '@assay/shared/courses.ts'
import { unsetAssignmentDates, unsetDates } from './unset-dates.ts'

const at = '2026-01-12T14:02:00Z'

export function buildCourse(part: Partial<Course> = {}): Course {
  return {
    id: 7,
    name: 'Biology 8b',
    description: null,
    course_code: null,
    student_count: 0,
    assignment_count: 0,
    created_at: at,
    updated_at: at,
    ...part,
  }
}

export function buildCourseStudent(part: Partial<CourseStudent> = {}): CourseStudent {
  return {
    id: 2,
    username: 'ada',
    full_name: 'Ada Mutombo',
    email: 'ada@school.example',
    enrolled_at: at,
    state: 'enrolled',
    external_user_id: null,
    sis_user_id: null,
    added_by: 'teacher',
    test_student: false,
    ...part,
  }
}

export function buildCourseAssignment(part: Partial<CourseAssignment> = {}): CourseAssignment {
  return { id: 5, title: 'Quiz 3', status: 'draft', created_at: at, ...unsetDates, ...part }
}

export function buildCourseDetail(part: Partial<CourseDetail> = {}): CourseDetail {
  const { students = [], assignments = [] } = part
  return {
    ...buildCourse({ student_count: students.length, assignment_count: assignments.length }),
    students,
    assignments,
    instructors: [{ id: 1, username: 'mkeller', full_name: 'Martin Keller' }],
    join_code: null,
    time_zone: 'UTC',
    lms_names: [],
    ...part,
  }
}

export function buildAssignment(part: Partial<Assignment> = {}): Assignment {
  return {
    id: 5,
    title: 'Quiz 3',
    status: 'draft',
    course_id: 7,
    course_name: 'Biology 8b',
    counts: { submissions: 3, graded: 3, flagged: 0, failed: 0, reviewed: 0, unreleased: 3, regrades: 0 },
    created_at: at,
    updated_at: at,
    published_at: null,
    ...unsetAssignmentDates,
    ...part,
  }
}
