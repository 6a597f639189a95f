import type { Assignment } from '@assay/shared/assignments.ts'
import { Link } from 'react-router-dom'
import { Notice } from '../../../components/feedback/Notice.tsx'
import { plural } from '../../../lib/format.ts'
import classes from './UnmatchedNotice.module.css'

/** Nobody sees the grades of papers without a student. */
export function UnmatchedNotice({ assignment, unmatched }: { assignment: Assignment; unmatched: number }) {
  // Without a course there are no students to choose from, and publishing says so.
  if (unmatched === 0 || assignment.course_id === null) return null
  return (
    <div className={classes.root}>
      <Notice>
        {plural(unmatched, 'paper')} without a student.{' '}
        {assignment.anonymous?.names_hidden ? (
          `Show names to match ${unmatched === 1 ? 'it' : 'them'}.`
        ) : (
          <Link to={`/assignments/${assignment.id}/submissions/match`}>
            Match to {unmatched === 1 ? 'a student' : 'students'}
          </Link>
        )}
      </Notice>
    </div>
  )
}
