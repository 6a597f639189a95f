import type { SubmissionRow } from '@assay/shared/submissions.ts'
import type { Status } from '../../../components/display/StatusBadge.tsx'

/** How a row's state is shown: an icon's name and a word. */
export function submissionStatusBadge(row: SubmissionRow): { status: Status; word: string } {
  switch (row.status) {
    case 'failed':
      return { status: 'failed', word: 'Failed' }
    case 'queued':
      return { status: 'pending', word: 'Waiting' }
    case 'reading':
      return { status: 'working', word: 'Reading' }
    case 'grading':
      return { status: 'working', word: 'Grading' }
    case 'graded':
      return row.needs_review ? { status: 'flagged', word: 'Flagged' } : { status: 'graded', word: 'Graded' }
    case 'uploaded':
      return { status: 'pending', word: 'Pending' }
  }
}

/** One that only a person can grade has a grade without a score. */
export const hasGrade = (row: SubmissionRow) => row.final_score_after_review !== null || row.unscored_points > 0
