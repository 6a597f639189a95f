import type { SubmissionRow } from '@assay/shared/submissions.ts'
import { Link } from 'react-router-dom'
import classes from './RowActionButtons.module.css'
import type { RowActions } from './row-actions.ts'

/** Plain elements that look like subtle buttons: a page has a hundred of them, and each of Mantine's takes a millisecond to draw. */
export function RowActionButtons({ row, actions }: { row: SubmissionRow; actions: RowActions }) {
  return (
    <span className={classes.root}>
      <Link
        to={`/assignments/${row.assignment_id}/submissions/${row.id}${actions.search}`}
        data-row={row.id}
        className={classes.button}
        aria-label={`Review submission ${row.id}`}
      >
        Review
      </Link>
      <button
        type="button"
        className={classes.delete}
        aria-label={`Delete submission ${row.id}`}
        onClick={() => actions.remove(row)}
      >
        Delete
      </button>
    </span>
  )
}
