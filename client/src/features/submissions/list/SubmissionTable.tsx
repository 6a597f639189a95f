import type { SubmissionRow, SubmissionSort } from '@assay/shared/submissions.ts'
import { memo } from 'react'
import { InitialsAvatar } from '../../../components/display/InitialsAvatar.tsx'
import { ScoreBadge } from '../../../components/display/ScoreBadge.tsx'
import { formatDateTime } from '../../../lib/format.ts'
import { AdjustedScoreLine } from '../../score-rules/AdjustedScoreLine.tsx'
import { studentName } from '../review/student-name.ts'
import { RowActionButtons } from './RowActionButtons.tsx'
import { RowCheckbox } from './RowCheckbox.tsx'
import { looksSame, type RowActions, type RowProps } from './row-actions.ts'
import { hasGrade, identifierLine, scoredBy } from './row-status.ts'
import { SortHeader } from './SortHeader.tsx'
import { SubmissionStatusCell } from './SubmissionStatusCell.tsx'
import classes from './SubmissionTable.module.css'
import { useDeferredRows } from './useDeferredRows.ts'
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
  const count = rows.filter((row) => actions.selected.has(row.id)).length
  return (
    <div className={classes.frame}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th className={classes.check}>
              <RowCheckbox
                label={`Select all ${rows.length} submissions on this page`}
                checked={count === rows.length}
                indeterminate={count > 0 && count < rows.length}
                onChange={(checked) =>
                  actions.select(
                    rows.map((row) => row.id),
                    checked,
                  )
                }
              />
            </th>
            {sortable.map(([sort, label]) => (
              <SortHeader
                key={sort}
                sort={sort}
                label={anonymous && sort === 'student' ? 'Paper' : label}
                view={view}
              />
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
      </table>
    </div>
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
      <td className={classes.score}>
        {hasGrade(row) && (
          <>
            <ScoreBadge
              score={row.final_score_after_review}
              points={row.points}
              partial={row.unscored_points > 0}
              {...scoredBy(row)}
            />
            <AdjustedScoreLine adjusted={row.adjusted} />
          </>
        )}
      </td>
      <td className={classes.actions}>
        <RowActionButtons row={row} actions={actions} />
      </td>
    </tr>
  )
}, looksSame)
