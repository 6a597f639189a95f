import { isPast } from '@assay/shared/rules/dates.ts'
import type { StudentAssignment } from '@assay/shared/students.ts'
import { formatDateTime } from '../../../lib/format.ts'
import classes from './AssignmentDates.module.css'

type DatedAssignment = Pick<StudentAssignment, 'available_at' | 'due_at' | 'closes_at' | 'state'>

const dates = [
  { field: 'available_at', coming: 'Opens', past: 'Opened' },
  { field: 'due_at', coming: 'Due', past: 'Was due' },
  { field: 'closes_at', coming: 'Closes', past: 'Closed' },
] as const

export function AssignmentDates({ assignment }: { assignment: DatedAssignment }) {
  const shown = dates.flatMap(({ field, coming, past }) => {
    const moment = assignment[field]
    // Once open, its opening date is irrelevant.
    if (!moment || (field === 'available_at' && assignment.state !== 'upcoming')) return []
    return [{ field, moment, word: isPast(new Date(moment), new Date()) ? past : coming }]
  })
  if (shown.length === 0) return null
  return (
    <dl className={classes.root}>
      {shown.map(({ field, moment, word }) => (
        <div key={field}>
          <dt>{word}</dt>
          <dd>
            <time dateTime={moment}>{formatDateTime(moment)}</time>
          </dd>
        </div>
      ))}
    </dl>
  )
}
