import type { AdjustedScore } from '@assay/shared/rules/adjust-score.ts'
import { formatPercent, pointsInWords } from '@assay/shared/rules/points.ts'
import classes from './AdjustedScoreLine.module.css'
import { causeOf } from './adjustment-messages.ts'

export function AdjustedScoreLine(props: { adjusted: AdjustedScore | undefined; withPoints?: boolean }) {
  const { adjusted, withPoints = true } = props
  if (!adjusted) return null
  return (
    <span className={classes.root}>
      <strong>{formatPercent(adjusted.score)}</strong> {withPoints && pointsInWords(adjusted.points)}{' '}
      {causeOf(adjusted)}
    </span>
  )
}
