import type { SubmissionRow } from '@assay/shared/submissions.ts'
import { SubtleButton } from '../../../components/display/buttons.tsx'
import { StatusBadge } from '../../../components/display/StatusBadge.tsx'
import { LmsScoreStatus } from '../../lti/scores/LmsScoreStatus.tsx'
import type { LmsScoresState } from '../../lti/scores/useLmsScores.ts'
import { studentName } from '../review/student-name.ts'
import { submissionStatusBadge } from './row-status.ts'
import classes from './SubmissionStatusCell.module.css'

const outdatedLabel = (numbers: string[]) =>
  `Earlier rubric: ${numbers.length === 1 ? 'question' : 'questions'} ${numbers.join(', ')}`

/** Rows do not repeat the whole sentence: of doubts they name the question. */
const shortReason = (summary: string | null) =>
  summary?.replace(/^The grader is unsure of (question [^:]+): about .+ may be wrong\./, 'Check $1.') ?? null

const heldBy = ({ held, problems = [] }: SubmissionRow) => (held ? (problems[0]?.message ?? null) : null)

export function SubmissionStatusCell({ row, actions }: { row: SubmissionRow; actions: RowActions }) {
  const { status, word } = submissionStatusBadge(row)
  const why =
    row.status === 'failed' ? row.failure?.message : row.needs_review ? shortReason(row.review_summary) : heldBy(row)
  return (
    <div className={classes.root}>
      <StatusBadge status={status}>{word}</StatusBadge>
      {row.late && <StatusBadge status="overdue">Late</StatusBadge>}
      {row.regrade === 'open' && <StatusBadge status="flagged">Regrade requested</StatusBadge>}
      {row.outdated && <span className={classes.why}>{outdatedLabel(row.outdated)}</span>}
      {row.status === 'failed' && (
        <SubtleButton
          className={classes.retry}
          disabled={actions.busy}
          aria-label={`Retry submission ${row.id}`}
          onClick={() => actions.retry(row)}
        >
          Retry
        </SubtleButton>
      )}
      {why && <span className={classes.why}>{why}</span>}
      <LmsScoreStatus
        scores={actions.lmsScores.byPaper.get(row.id)}
        of={studentName(row)}
        sendAgain={() => actions.lmsScores.sendAgain([row.id])}
        sending={actions.lmsScores.sending}
        brief
      />
    </div>
  )
}

export interface RowActions {
  selected: ReadonlySet<number>
  select: (ids: readonly number[], on: boolean) => void
  openMenu: (row: SubmissionRow, button: HTMLElement) => void
  retry: (row: SubmissionRow) => void
  busy: boolean
  lmsScores: LmsScoresState
  /** The end of a review's address, so that its next paper is this list's. */
  search: string
}

export interface RowProps {
  row: SubmissionRow
  selected: boolean
  actions: RowActions
}

/** Actions are new each render but do the same. */
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
