import type { SubmissionRow } from '@assay/shared/submissions.ts'
import { Button } from '@mantine/core'
import { StatusBadge } from '../../../components/display/StatusBadge.tsx'
import { LmsScoreStatus } from '../../lti/scores/LmsScoreStatus.tsx'
import { studentName } from '../review/student-name.ts'
import type { RowActions } from './row-actions.ts'
import { submissionStatusBadge } from './row-status.ts'
import classes from './SubmissionStatusCell.module.css'

const outdatedLabel = (numbers: string[]) =>
  `Earlier rubric: ${numbers.length === 1 ? 'question' : 'questions'} ${numbers.join(', ')}`

/** What the paper waits for a decision on. */
const heldBy = ({ held, problems = [] }: SubmissionRow) => (held ? (problems[0]?.message ?? null) : null)

/** A paper's status, and why it needs a person. */
export function SubmissionStatusCell({ row, actions }: { row: SubmissionRow; actions: RowActions }) {
  const { status, word } = submissionStatusBadge(row)
  const why = row.status === 'failed' ? row.failure?.message : row.needs_review ? row.review_summary : heldBy(row)
  return (
    <div className={classes.root}>
      <StatusBadge status={status}>{word}</StatusBadge>
      {row.late && <StatusBadge status="overdue">Late</StatusBadge>}
      {row.regrade === 'open' && <StatusBadge status="flagged">Regrade requested</StatusBadge>}
      {row.outdated && <span className={classes.why}>{outdatedLabel(row.outdated)}</span>}
      {row.status === 'failed' && (
        <Button
          variant="subtle"
          className={classes.retry}
          disabled={actions.busy}
          aria-label={`Retry submission ${row.id}`}
          onClick={() => actions.retry(row)}
        >
          Retry
        </Button>
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
