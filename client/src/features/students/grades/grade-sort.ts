import { exactPercent } from '@assay/shared/rules/points.ts'
import type { RecentGrade } from '@assay/shared/students.ts'

export const gradeColumns = ['assignment_title', 'course_name', 'overall_score', 'graded_at'] as const
export type GradeColumn = (typeof gradeColumns)[number]

export interface GradeOrder {
  column: GradeColumn
  direction: 'ascending' | 'descending'
}

export const columnLabels: Record<GradeColumn, string> = {
  assignment_title: 'Assignment',
  course_name: 'Course',
  overall_score: 'Score',
  graded_at: 'Graded',
}

const firstDirection: Record<GradeColumn, GradeOrder['direction']> = {
  assignment_title: 'ascending',
  course_name: 'ascending',
  overall_score: 'descending',
  graded_at: 'descending',
}

export function nextGradeOrder(column: GradeColumn, now: GradeOrder): GradeOrder {
  if (column !== now.column) return { column, direction: firstDirection[column] }
  return { column, direction: now.direction === 'ascending' ? 'descending' : 'ascending' }
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

function compare(a: RecentGrade, b: RecentGrade, column: GradeColumn): number {
  if (column === 'overall_score') return exactPercent(a.points) - exactPercent(b.points)
  if (column === 'graded_at') return Date.parse(a.graded_at) - Date.parse(b.graded_at)
  return collator.compare(a[column], b[column])
}

/** Stable: of equal ones the newest comes first, as sent. */
export function sortGrades(grades: readonly RecentGrade[], { column, direction }: GradeOrder): RecentGrade[] {
  const sign = direction === 'ascending' ? 1 : -1
  return grades.toSorted((a, b) => sign * compare(a, b, column))
}
