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

export interface RowProps {
  row: SubmissionRow
  selected: boolean
  actions: RowActions
}

/** The actions are new each time but do the same; a row is drawn again only when it looks different. */
export function looksSame(before: RowProps, after: RowProps): boolean {
  const [was, is] = [before.actions, after.actions]
  return (
    before.row === after.row &&
    before.selected === after.selected &&
    was.busy === is.busy &&
    was.lmsScores.byPaper.get(before.row.id) === is.lmsScores.byPaper.get(after.row.id) &&
    was.lmsScores.sending === is.lmsScores.sending &&
    was.search === is.search
  )
}
