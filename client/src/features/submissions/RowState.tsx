import type { SubmissionRow } from '@assay/shared/submissions.ts'
import { Button } from '@mantine/core'
import { StatusMark } from '../../components/StatusMark.tsx'
import { ScoreMarks } from '../lti/scores/ScoreMarks.tsx'
import classes from './RowState.module.css'
import { rowStatus } from './row-status.ts'
import type { RowActions } from './SubmissionList.tsx'

const outdatedWords = (numbers: string[]) =>
  `Earlier rubric: ${numbers.length === 1 ? 'question' : 'questions'} ${numbers.join(', ')}`

/** Where a paper stands, and why it needs somebody. */
export function RowState({ row, actions }: { row: SubmissionRow; actions: RowActions }) {
  const { status, word } = rowStatus(row)
  const why = row.status === 'failed' ? row.failure?.message : row.needs_review ? row.review_summary : null
  return (
    <div className={classes.root}>
      <StatusMark status={status}>{word}</StatusMark>
      {row.late && <StatusMark status="overdue">Late</StatusMark>}
      {row.regrade === 'open' && <StatusMark status="flagged">Regrade requested</StatusMark>}
      {row.outdated && <span className={classes.why}>{outdatedWords(row.outdated)}</span>}
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
      <ScoreMarks
        scores={actions.lms.byPaper.get(row.id)}
        of={row.student_identifier}
        sendAgain={() => actions.lms.sendAgain([row.id])}
        sending={actions.lms.sending}
        brief
      />
    </div>
  )
}
