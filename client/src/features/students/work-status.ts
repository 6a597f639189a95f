import type { StudentAssignment } from '@assay/shared/students.ts'
import type { Status } from '../../components/display/StatusBadge.tsx'

type WorkStatus = 'graded' | 'submitted' | 'missing'

export function workStatus(assignment: StudentAssignment): WorkStatus {
  if (assignment.is_graded) return 'graded'
  return assignment.has_submission ? 'submitted' : 'missing'
}

export const statusBadges: Record<WorkStatus, { status: Status; word: string }> = {
  graded: { status: 'graded', word: 'Graded' },
  submitted: { status: 'submitted', word: 'Submitted' },
  missing: { status: 'pending', word: 'Not Submitted' },
}

export const workFilters = ['all', 'graded', 'submitted', 'missing'] as const
export type WorkFilter = (typeof workFilters)[number]

export const filterLabels: Record<WorkFilter, string> = {
  all: 'All Assignments',
  graded: 'Graded',
  submitted: 'Submitted',
  missing: 'Not Submitted',
}

export function matchesFilter(assignment: StudentAssignment, filter: WorkFilter): boolean {
  return filter === 'all' || workStatus(assignment) === filter
}

/**
 * True where the points of the criteria do not come to the score, or are not all there, because the teacher set it. Half a percent is
 * left for rounding.
 */
export function isScoreOverridden({ overall_score, criterion_grades }: StudentAssignment): boolean {
  if (overall_score !== null && criterion_grades.some(({ score }) => score === null)) return true
  const possible = criterion_grades.reduce((sum, one) => sum + one.max_score, 0)
  const earned = criterion_grades.reduce((sum, one) => sum + (one.score ?? 0), 0)
  if (overall_score === null || possible === 0) return false
  return Math.abs((100 * earned) / possible - overall_score) > 0.5
}
