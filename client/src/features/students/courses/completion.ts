import type { StudentCourse } from '@assay/shared/students.ts'

/** How much of a course is graded, in whole percent; null where there is nothing to grade yet. */
export function percentComplete(course: StudentCourse): number | null {
  if (course.assignment_count === 0) return null
  return Math.round((100 * course.graded_assignment_count) / course.assignment_count)
}

/** Green at 80 and above, yellow at 60 and above, else red. */
export function completionTone(percent: number): 'high' | 'middle' | 'low' {
  if (percent >= 80) return 'high'
  return percent >= 60 ? 'middle' : 'low'
}
