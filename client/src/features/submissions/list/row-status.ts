import type { SubmissionRow } from '@assay/shared/submissions.ts'
import type { Status } from '../../../components/display/StatusBadge.tsx'

export const HELD = { status: 'flagged', word: 'Needs a look first' } as const

export const isHeld = ({ held, status }: Pick<SubmissionRow, 'held' | 'status'>): boolean =>
  held === true && status === 'uploaded'

const badges = {
  failed: { status: 'failed', word: 'Failed' },
  queued: { status: 'pending', word: 'Waiting' },
  reading: { status: 'working', word: 'Reading' },
  grading: { status: 'working', word: 'Grading' },
  uploaded: { status: 'pending', word: 'Pending' },
} as const

export function submissionStatusBadge(row: SubmissionRow): { status: Status; word: string } {
  if (isHeld(row)) return HELD
  return row.status === 'graded' ? gradeStatus(row) : badges[row.status]
}

/** Flagged while in doubt, incomplete while answers need a person; else suggested until somebody decides. */
export function gradeStatus({
  needs_review,
  unscored_points,
  reviewed,
}: Pick<SubmissionRow, 'needs_review' | 'unscored_points' | 'reviewed'>): { status: Status; word: string } {
  if (needs_review) return { status: 'flagged', word: 'Flagged' }
  if (unscored_points > 0) return { status: 'by_hand', word: 'Grade by hand' }
  return reviewed ? { status: 'reviewed', word: 'Reviewed' } : { status: 'suggested', word: 'Suggested' }
}

export function identifierLine(row: SubmissionRow): string {
  if (row.names_hidden) return 'Name hidden'
  if (!row.student) return 'No enrolled student'
  return row.student.full_name ? row.student_identifier : 'Enrolled student'
}

/** One that only a person can grade has a grade without a score. */
export const hasGrade = (row: SubmissionRow) => row.final_score_after_review !== null || row.unscored_points > 0

/** As one may be approved: in doubt or suggested, with nothing left to grade by hand. */
export const canBeApproved = (row: SubmissionRow) =>
  row.status === 'graded' && hasGrade(row) && row.unscored_points === 0 && (row.needs_review || !row.reviewed)

/** A teacher uploaded it; while names are hidden, the answer would tell of extensions. */
export const mayBeDated = ({ handed_in_by, names_hidden }: SubmissionRow) => handed_in_by === 'teacher' && !names_hidden

type Scored = Pick<SubmissionRow, 'manual_score_override' | 'needs_review'>

export function scoredBy({ manual_score_override, needs_review }: Scored): { who?: 'ai' | 'teacher' } {
  if (manual_score_override !== null) return { who: 'teacher' }
  return needs_review ? { who: 'ai' } : {}
}
