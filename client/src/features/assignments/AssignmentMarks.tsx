import type { Assignment } from '@assay/shared/assignments.ts'
import { StatusMark } from '../../components/StatusMark.tsx'
import classes from './AssignmentMarks.module.css'

type Marked = Pick<Assignment, 'status' | 'dates_state'>

/** Published or Draft, and of a published one where it stands in time, unless it is simply open. */
export function AssignmentMarks({ assignment: { status, dates_state } }: { assignment: Marked }) {
  return (
    <span className={classes.root}>
      <StatusMark status={status} />
      {status === 'published' && dates_state !== 'open' && <StatusMark status={dates_state} />}
    </span>
  )
}
