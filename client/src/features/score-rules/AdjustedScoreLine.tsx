import type { AdjustedScore } from '@assay/shared/rules/adjust-score.ts'
import { formatPercent } from '../../lib/format.ts'
import classes from './AdjustedScoreLine.module.css'
import { causeOf } from './adjustment-messages.ts'

/** Nothing where the score that counts is the one as graded. */
export function AdjustedScoreLine({ adjusted }: { adjusted: AdjustedScore | undefined }) {
  if (!adjusted) return null
  return (
    <span className={classes.root}>
      <strong>{formatPercent(adjusted.score)}</strong> {causeOf(adjusted)}
    </span>
  )
}
