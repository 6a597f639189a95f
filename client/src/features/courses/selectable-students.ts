import type { CourseStudent } from '@assay/shared/courses.ts'

/**
 * Each student once: who joined by the course's code may also be on the roster as an unconfirmed address, and a roster
 * that changes while its pages are fetched may name anybody twice.
 */
export function selectableStudents(roster: readonly CourseStudent[]): CourseStudent[] {
  const enrolled = roster.filter(({ state }) => state !== 'waiting')
  return [...new Map(enrolled.map((student) => [student.id, student])).values()]
}
