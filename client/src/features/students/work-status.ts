import { isWholeScore } from '@assay/shared/rules/criterion-points.ts'
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

export const filterLabel = (filter: WorkFilter) => (filter === 'all' ? 'All Assignments' : statusBadges[filter].word)

export const matchesFilter = (assignment: StudentAssignment, filter: WorkFilter): boolean =>
  filter === 'all' || workStatus(assignment) === filter

export const isScoreOverridden = ({ points, adjusted, criterion_grades }: StudentAssignment): boolean =>
  isWholeScore(adjusted?.raw_points ?? points, criterion_grades)
