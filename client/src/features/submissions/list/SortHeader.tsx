import type { SubmissionSort } from '@assay/shared/submissions.ts'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import classes from './SortHeader.module.css'
import type { ListView } from './useListView.ts'

/** A column's head that sorts by it, and the other way round when it does so already. */
export function SortHeader({ sort, label, view }: { sort: SubmissionSort; label: string; view: ListView }) {
  const { order, change } = view
  const sorted = order.sort === sort
  const rising = order.direction === 'asc'
  const Arrow = rising ? IconArrowUp : IconArrowDown
  return (
    <th scope="col" aria-sort={sorted ? (rising ? 'ascending' : 'descending') : undefined}>
      <button
        type="button"
        className={classes.button}
        onClick={() => change({ sort, direction: sorted && rising ? 'desc' : 'asc' })}
      >
        {label}
        <Arrow size={14} className={classes.arrow} data-shown={sorted || undefined} aria-hidden />
      </button>
    </th>
  )
}
