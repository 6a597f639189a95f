import type { SubmissionRow } from '@assay/shared/submissions.ts'
import { Button } from '@mantine/core'
import { formatCount } from '../../../lib/format.ts'
import classes from './SubmissionToolbar.module.css'
import type { Selection } from './useSelection.ts'

interface Props {
  selection: Selection
  rows: readonly SubmissionRow[]
  found: number
  busy: boolean
  deleteSelected: () => void
  gradeSelected: () => void
}

/** What is selected, here and elsewhere in the list, and what can be done with it. */
export function SelectionBar({ selection, rows, found, busy, deleteSelected, gradeSelected }: Props) {
  const { ids } = selection
  const here = rows.filter(({ id }) => ids.has(id)).length
  const elsewhere = ids.size - here
  const wholePage = rows.length > 0 && here === rows.length
  return (
    <>
      {/* Always there, so that its words are read out when they change. */}
      <p role="status" className={classes.status}>
        {ids.size > 0 && `${formatCount(ids.size)} selected`}
      </p>
      {ids.size > 0 && (
        <div className={classes.selection}>
          <strong>{formatCount(ids.size)} selected</strong>
          {elsewhere > 0 && <span className={classes.elsewhere}>{formatCount(elsewhere)} not on this page</span>}
          <Button variant="subtle" color="red.8" className={classes.delete} onClick={deleteSelected}>
            Delete Selected
          </Button>
          <Button variant="subtle" disabled={busy} onClick={gradeSelected}>
            Grade selected again
          </Button>
          {wholePage && found > ids.size && (
            <Button variant="subtle" loading={selection.selectingAll} onClick={() => void selection.selectAll()}>
              Select all {formatCount(found)}
            </Button>
          )}
          <Button variant="subtle" color="gray" className={classes.clear} onClick={selection.clear}>
            Clear selection
          </Button>
        </div>
      )}
    </>
  )
}
