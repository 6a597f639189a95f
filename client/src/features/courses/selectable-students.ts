import type { CourseStudent } from '@assay/shared/courses.ts'

/**
 * Whom work and dates can be given to: those who are on the course. One who joined with the course's code may be on the
 * roster a second time, as an address somebody has yet to confirm; and a roster that changes while its pages are fetched
 * may name anybody twice. Each is offered once.
 */
export function selectableStudents(roster: readonly CourseStudent[]): CourseStudent[] {
  const enrolled = roster.filter(({ state }) => state !== 'waiting')
  return [...new Map(enrolled.map((student) => [student.id, student])).values()]
}
