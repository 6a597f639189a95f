import type { SubmissionRow } from '@assay/shared/submissions.ts'
import { Checkbox } from '@mantine/core'
import { memo } from 'react'
import { ScoreBadge } from '../../../components/display/ScoreBadge.tsx'
import { formatDateTime } from '../../../lib/format.ts'
import { AdjustedScoreLine } from '../../score-rules/AdjustedScoreLine.tsx'
import { studentName } from '../review/student-name.ts'
import { RowActionButtons } from './RowActionButtons.tsx'
import { RowCheckbox } from './RowCheckbox.tsx'
import { looksSame, type RowActions, type RowProps } from './row-actions.ts'
import { hasGrade, identifierLine, scoredBy } from './row-status.ts'
import classes from './SubmissionCards.module.css'
import { SubmissionStatusCell } from './SubmissionStatusCell.tsx'
import { useDeferredRows } from './useDeferredRows.ts'

/** Without a notice above the list. */
const HEIGHTS = { above: 430, row: 130 }

/** The table's rows on a phone. */
export function SubmissionCards({ rows, actions }: { rows: SubmissionRow[]; actions: RowActions }) {
  const drawn = useDeferredRows(rows, HEIGHTS)
  const count = rows.filter((row) => actions.selected.has(row.id)).length
  return (
    <>
      <Checkbox
        className={classes.all}
        label={`Select these ${rows.length}`}
        checked={count === rows.length}
        indeterminate={count > 0 && count < rows.length}
        onChange={(event) =>
          actions.select(
            rows.map((row) => row.id),
            event.currentTarget.checked,
          )
        }
      />
      <ul className={classes.list} aria-label="Submissions">
        {drawn.map((row) => (
          <Card key={row.id} row={row} selected={actions.selected.has(row.id)} actions={actions} />
        ))}
      </ul>
    </>
  )
}

const Card = memo(function Card({ row, selected, actions }: RowProps) {
  return (
    <li data-selected={selected || undefined}>
      <RowCheckbox
        label={`Select submission ${row.id}`}
        checked={selected}
        onChange={(checked) => actions.select([row.id], checked)}
      />
      <div className={classes.words}>
        <div className={classes.top}>
          <span className={classes.name} title={studentName(row)}>
            {studentName(row)}
          </span>
          <span className={classes.id}>#{row.id}</span>
        </div>
        <span className={classes.when}>
          {identifierLine(row)} · {formatDateTime(row.created_at)}
        </span>
        <SubmissionStatusCell row={row} actions={actions} />
        <div className={classes.foot}>
          {hasGrade(row) ? (
            <div>
              <ScoreBadge
                score={row.final_score_after_review}
                points={row.points}
                partial={row.unscored_points > 0}
                {...scoredBy(row)}
              />
              <AdjustedScoreLine adjusted={row.adjusted} />
            </div>
          ) : (
            <span />
          )}
          <RowActionButtons row={row} actions={actions} />
        </div>
      </div>
    </li>
  )
}, looksSame)
