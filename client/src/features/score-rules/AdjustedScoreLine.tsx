import type { AdjustedScore } from '@assay/shared/rules/adjust-score.ts'
import { formatPercent } from '../../lib/format.ts'
import classes from './AdjustedScoreLine.module.css'
import { causeOf } from './adjustment-messages.ts'

/** The score that counts, below the one as graded; nothing where they are the same. */
export function AdjustedScoreLine({ adjusted }: { adjusted: AdjustedScore | undefined }) {
  if (!adjusted) return null
  return (
    <span className={classes.root}>
      <strong>{formatPercent(adjusted.score)}</strong> {causeOf(adjusted)}
    </span>
  )
}
