import type { Assignment } from '@assay/shared/assignments.ts'
import { StatusBadge } from '../../components/display/StatusBadge.tsx'
import classes from './AssignmentBadges.module.css'

type AssignmentState = Pick<Assignment, 'status' | 'dates_state'>

export function AssignmentBadges({ assignment: { status, dates_state } }: { assignment: AssignmentState }) {
  return (
    <span className={classes.root}>
      <StatusBadge status={status} />
      {status === 'published' && dates_state !== 'open' && <StatusBadge status={dates_state} />}
    </span>
  )
}
