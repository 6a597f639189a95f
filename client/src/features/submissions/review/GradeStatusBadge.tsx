import type { Grade } from '@assay/shared/grades.ts'
import { StatusBadge } from '../../../components/display/StatusBadge.tsx'
import { gradeStatus, HELD } from '../list/row-status.ts'

export function GradeStatusBadge({
  grade,
}: {
  grade: Pick<Grade, 'needs_review' | 'reviewed_at' | 'unscored_points'>
}) {
  const { status, word } = gradeStatus({ ...grade, reviewed: grade.reviewed_at !== null })
  return <StatusBadge status={status}>{status === 'flagged' ? 'Flagged for Review' : word}</StatusBadge>
}

export function HeldBadge() {
  return <StatusBadge status={HELD.status}>{HELD.word}</StatusBadge>
}
