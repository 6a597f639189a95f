import type { CourseStudent } from '@assay/shared/courses.ts'

/** Each student once: the roster may change while its pages are fetched. */
export function selectableStudents(roster: readonly CourseStudent[]): CourseStudent[] {
  const enrolled = roster.filter(({ state }) => state !== 'waiting')
  return [...new Map(enrolled.map((student) => [student.id, student])).values()]
}

export interface SelectableStudent {
  id: number
  username: string
  full_name: string | null
}

export const studentLabel = ({ full_name, username }: SelectableStudent) =>
  full_name ? `${full_name} (${username})` : username
