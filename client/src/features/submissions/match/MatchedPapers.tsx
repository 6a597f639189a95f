import { Button } from '@mantine/core'
import { Link } from 'react-router-dom'
import { StatusBadge } from '../../../components/display/StatusBadge.tsx'
import classes from './MatchList.module.css'
import { matchedByText } from './match-reason-labels.ts'
import { studentLabel } from './student-label.ts'
import type { MatchedPaper } from './useMatching.ts'

interface Props {
  matched: readonly MatchedPaper[]
  list: string
  busy: boolean
  undo: (one: MatchedPaper) => void
}

/** What was decided on this screen, while it can be taken back at a glance. */
export function MatchedPapers({ matched, list, busy, undo }: Props) {
  return (
    <section aria-label="Just matched" className={classes.settled}>
      {matched.length > 0 && <h2 className={classes.title}>Just matched</h2>}
      <ul aria-live="polite">
        {matched.map((one) => {
          const { submission } = one
          return (
            <li key={submission.id}>
              <StatusBadge status="graded">{studentLabel(one.student)}</StatusBadge>
              <Link to={`${list}/${submission.id}`}>{submission.file_name}</Link>
              {submission.matched_by && submission.matched_by !== 'teacher' && (
                <span className={classes.facts}>{matchedByText(submission.matched_by)}</span>
              )}
              {one.others.length > 0 && (
                <span className={classes.facts}>also has {one.others.map((id) => `#${id}`).join(', ')}</span>
              )}
              <Button
                variant="subtle"
                disabled={busy}
                aria-label={`Undo for ${submission.file_name}`}
                onClick={() => undo(one)}
              >
                Undo
              </Button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
