import type { SubmissionRow } from '@assay/shared/submissions.ts'
import type { LmsScoresState } from '../../lti/scores/useLmsScores.ts'

/** A row’s actions, and the props common to all rows. */
export interface RowActions {
  selected: ReadonlySet<number>
  select: (ids: readonly number[], on: boolean) => void
  remove: (row: SubmissionRow) => void
  retry: (row: SubmissionRow) => void
  busy: boolean
  lmsScores: LmsScoresState
  /** What a review's address ends with, so that its next paper is this list's. */
  search: string
}
