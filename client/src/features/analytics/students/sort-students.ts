import type { StudentPerformance, StudentTrend } from '@assay/shared/analytics.ts'

export type SortColumn = 'student_name' | 'completion_rate' | 'average_grade' | 'performance_trend'
type SortDirection = 'ascending' | 'descending'

export interface Sorting {
  column: SortColumn
  direction: SortDirection
}

export const initialSorting: Sorting = { column: 'completion_rate', direction: 'descending' }

/** The sorted column turns round; another one starts with what is highest. */
export function nextSorting(now: Sorting, column: SortColumn): Sorting {
  if (now.column !== column) return { column, direction: 'descending' }
  return { column, direction: now.direction === 'descending' ? 'ascending' : 'descending' }
}

const trends: StudentTrend[] = ['declining', 'stable', 'improving']

function compare(a: StudentPerformance, b: StudentPerformance, { column, direction }: Sorting): number {
  const sign = direction === 'ascending' ? 1 : -1
  if (column === 'student_name') return sign * a.student_name.localeCompare(b.student_name)
  const [x, y] = [sortValue(a, column), sortValue(b, column)]
  // What is missing ranks last, whichever way round.
  if (x === null || y === null) return Number(x === null) - Number(y === null)
  return sign * (x - y)
}

function sortValue(student: StudentPerformance, column: Exclude<SortColumn, 'student_name'>): number | null {
  if (column !== 'performance_trend') return student[column]
  return student.performance_trend === null ? null : trends.indexOf(student.performance_trend)
}

/** A new list; a stable sort. */
export function sortStudents(students: StudentPerformance[], sorting: Sorting): StudentPerformance[] {
  return students.toSorted((a, b) => compare(a, b, sorting))
}

export function sortAnnouncement({ column, direction }: Sorting): string {
  return `Table sorted by ${column.replaceAll('_', ' ')} in ${direction} order`
}
