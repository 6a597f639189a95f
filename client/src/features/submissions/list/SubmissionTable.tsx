import type { SubmissionRow, SubmissionSort } from '@assay/shared/submissions.ts'
import { IconArrowDown, IconArrowUp, IconDots } from '@tabler/icons-react'
import { memo, useDeferredValue } from 'react'
import { Link } from 'react-router-dom'
import { InitialsAvatar } from '../../../components/display/InitialsAvatar.tsx'
import { ScoreBadge } from '../../../components/display/ScoreBadge.tsx'
import { DataTable } from '../../../components/layout/DataTable.tsx'
import { formatDateTime } from '../../../lib/format.ts'
import { submissionPath } from '../../../paths.ts'
import { AdjustedScoreLine } from '../../grades/score-rules/AdjustedScoreLine.tsx'
import { studentName } from '../review/student-name.ts'
import { hasGrade, identifierLine, scoredBy } from './row-status.ts'
import { looksSame, type RowActions, type RowProps, SubmissionStatusCell } from './SubmissionStatusCell.tsx'
import classes from './SubmissionTable.module.css'
import type { ListView } from './useListView.ts'

/** Without a notice above the list. */
const HEIGHTS = { above: 370, row: 56 }

interface Props {
  rows: SubmissionRow[]
  actions: RowActions
  view: ListView
}

export function SubmissionTable({ rows, actions, view }: Props) {
  const anonymous = rows.some((row) => row.names_hidden)
  const drawn = useDeferredRows(rows, HEIGHTS)
  const ids = rows.map(({ id }) => id)
  const count = ids.filter((id) => actions.selected.has(id)).length
  return (
    <DataTable className={classes.table}>
      <thead>
        <tr>
          <th className={classes.check}>
            <RowCheckbox
              label={`Select all ${rows.length} submissions on this page`}
              checked={count === rows.length}
              indeterminate={count > 0 && count < rows.length}
              onChange={(checked) => actions.select(ids, checked)}
            />
          </th>
          {sortable.map(([sort, label]) => (
            <SortHeader key={sort} sort={sort} label={anonymous && sort === 'student' ? 'Paper' : label} view={view} />
          ))}
          <th scope="col" className={classes.actions}>
            Actions
          </th>
        </tr>
      </thead>
      <tbody>
        {drawn.map((row) => (
          <Row key={row.id} row={row} selected={actions.selected.has(row.id)} actions={actions} />
        ))}
      </tbody>
    </DataTable>
  )
}

const sortable: [SubmissionSort, string][] = [
  ['student', 'Student'],
  ['id', 'Submission ID'],
  ['submitted', 'Submitted'],
  ['status', 'Grade Status'],
  ['score', 'Score'],
]

const Row = memo(function Row({ row, selected, actions }: RowProps) {
  const name = studentName(row)
  return (
    <tr data-selected={selected || undefined}>
      <td className={classes.check}>
        <RowCheckbox
          label={`Select submission ${row.id} of ${name}`}
          checked={selected}
          onChange={(checked) => actions.select([row.id], checked)}
        />
      </td>
      <td className={classes.who}>
        <div className={classes.student}>
          <InitialsAvatar name={name} />
          <div className={classes.names}>
            <span className={classes.name} title={name}>
              {name}
            </span>
            <span className={classes.full}>{identifierLine(row)}</span>
          </div>
        </div>
      </td>
      <td className={classes.id}>#{row.id}</td>
      <td className={classes.when}>
        <time dateTime={row.created_at}>{formatDateTime(row.created_at)}</time>
      </td>
      <td className={classes.state}>
        <SubmissionStatusCell row={row} actions={actions} />
      </td>
      <td className={classes.score}>{hasGrade(row) && <RowScore row={row} />}</td>
      <td className={classes.actions}>
        <RowActionButtons row={row} actions={actions} />
      </td>
    </tr>
  )
}, looksSame)

function SortHeader({ sort, label, view }: { sort: SubmissionSort; label: string; view: ListView }) {
  const { order, change } = view
  const sorted = order.sort === sort
  const rising = order.direction === 'asc'
  const Arrow = rising ? IconArrowUp : IconArrowDown
  return (
    <th scope="col" aria-sort={sorted ? (rising ? 'ascending' : 'descending') : undefined}>
      <button
        type="button"
        className={classes.sort}
        onClick={() => change({ sort, direction: sorted && rising ? 'desc' : 'asc' })}
      >
        {label}
        <Arrow size={14} className={classes.arrow} data-shown={sorted || undefined} aria-hidden />
      </button>
    </th>
  )
}

export function RowScore({ row }: { row: SubmissionRow }) {
  return (
    <>
      <ScoreBadge
        score={row.final_score_after_review}
        points={row.points}
        partial={row.unscored_points > 0}
        {...scoredBy(row)}
      />
      <AdjustedScoreLine adjusted={row.adjusted} />
    </>
  )
}

/** Plain elements: a page has a hundred such buttons, and each of Mantine's takes a millisecond to draw. */
export function RowActionButtons({ row, actions }: { row: SubmissionRow; actions: RowActions }) {
  return (
    <span className={classes.rowActions}>
      <Link
        to={`${submissionPath(row.assignment_id, row.id)}${actions.search}`}
        data-row={row.id}
        className={classes.open}
        aria-label={`Review submission ${row.id}`}
      >
        Review
      </Link>
      <button
        type="button"
        className={classes.more}
        aria-label={`More for submission ${row.id}`}
        aria-haspopup="menu"
        onClick={({ currentTarget }) => actions.openMenu(row, currentTarget)}
      >
        <IconDots size={18} aria-hidden />
      </button>
    </span>
  )
}

interface RowCheckboxProps {
  label: string
  checked: boolean
  indeterminate?: boolean
  onChange: (checked: boolean) => void
}

/** The browser's own box: a page has fifty, and drawing Mantine's takes several times as long. */
export function RowCheckbox({ label, checked, indeterminate = false, onChange }: RowCheckboxProps) {
  return (
    <input
      ref={(input) => {
        if (input) input.indeterminate = indeterminate
      }}
      type="checkbox"
      className={classes.checkbox}
      aria-label={label}
      checked={checked}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  )
}

interface Heights {
  /** In px, above the first row at least. */
  above: number
  /** In px, at least. */
  row: number
}

export function useDeferredRows(rows: SubmissionRow[], { above, row }: Heights): SubmissionRow[] {
  const inSight = Math.max(1, Math.ceil((innerHeight - above) / row))
  return useDeferredValue(rows, rows.slice(0, inSight))
}
