import type { UnmatchedPaper } from '@assay/shared/matches.ts'
import { Button } from '@mantine/core'
import { Link } from 'react-router-dom'
import { formatDateTime } from '../../../lib/format.ts'
import { FirstPagePreview } from './FirstPagePreview.tsx'
import classes from './MatchList.module.css'
import { matchReasonLabels } from './match-reason-labels.ts'
import { StudentSelect } from './StudentSelect.tsx'
import { studentLabel } from './student-label.ts'
import type { SelectableStudent } from './useMatching.ts'

interface Props {
  paper: UnmatchedPaper
  list: string
  roster: readonly SelectableStudent[]
  busy: boolean
  match: (student: SelectableStudent) => void
}

/** A paper with its first page, and whose it may be. */
export function UnmatchedPaperItem({ paper, list, roster, busy, match }: Props) {
  const { submission, name_on_paper, suggestions } = paper
  const { id, file_name, created_at } = submission
  return (
    <li data-paper={id}>
      <FirstPagePreview assignmentId={submission.assignment_id} submissionId={id} fileName={file_name} />
      <div className={classes.words}>
        <Link to={`${list}/${id}`} className={classes.file}>
          {file_name}
        </Link>
        <span className={classes.facts}>
          #{id} · {formatDateTime(created_at)}
          {name_on_paper && ` · Name on paper: ${name_on_paper}`}
        </span>
        {suggestions.length > 0 && (
          <fieldset className={classes.suggestions} aria-label={`Suggestions for ${file_name}`}>
            {suggestions.map(({ student, reason, other_paper_id }) => (
              <div key={student.id} className={classes.suggestion}>
                <Button variant="default" disabled={busy} onClick={() => match(student)}>
                  {studentLabel(student)}
                </Button>
                <span className={classes.facts}>
                  {matchReasonLabels[reason]}
                  {other_paper_id !== null && `; already has paper #${other_paper_id}`}
                </span>
              </div>
            ))}
          </fieldset>
        )}
        <StudentSelect label={`Student of ${file_name}`} roster={roster} disabled={busy} choose={match} />
      </div>
    </li>
  )
}
