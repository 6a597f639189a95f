import type { SubmissionRow } from '@assay/shared/submissions.ts'
import { Button } from '@mantine/core'
import { Link } from 'react-router-dom'
import classes from './RowActionButtons.module.css'
import type { RowActions } from './row-actions.ts'

export function RowActionButtons({ row, actions }: { row: SubmissionRow; actions: RowActions }) {
  return (
    <span className={classes.root}>
      <Button
        component={Link}
        to={`/assignments/${row.assignment_id}/submissions/${row.id}${actions.search}`}
        data-row={row.id}
        variant="subtle"
        className={classes.button}
        aria-label={`Review submission ${row.id}`}
      >
        Review
      </Button>
      <Button
        variant="subtle"
        color="gray"
        className={classes.delete}
        aria-label={`Delete submission ${row.id}`}
        onClick={() => actions.remove(row)}
      >
        Delete
      </Button>
    </span>
  )
}
