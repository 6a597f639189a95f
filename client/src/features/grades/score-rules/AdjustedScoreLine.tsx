import {
  type AdjustedScore,
  describeAdjusted,
  describeAdjustment,
  describeLatePenalty,
} from '@assay/shared/rules/adjust-score.ts'
import { formatPercent, pointsInWords } from '@assay/shared/rules/points.ts'
import type { AssignmentScoreRules } from '@assay/shared/score-rules.ts'
import classes from './AdjustedScoreLine.module.css'

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

type Rules = Pick<AssignmentScoreRules, 'late_penalty' | 'adjustment' | 'bonus_limit'>

export const lateRuleText = ({ late_penalty }: Rules) =>
  late_penalty ? describeLatePenalty(late_penalty) : 'No penalty'

export const adjustmentText = ({ adjustment, bonus_limit }: Rules) =>
  (adjustment ? describeAdjustment(adjustment) : 'Count as graded') +
  (bonus_limit == null ? '' : `, at most ${bonus_limit} beyond the total`)

export function causeOf({ steps }: AdjustedScore): string {
  const late = steps.some(({ kind }) => kind === 'late')
  if (!late) return 'after adjustment'
  return steps.length > 1 ? 'after adjustment and late penalty' : 'after late penalty'
}

export function ScoreSteps({ adjusted }: { adjusted: AdjustedScore }) {
  return (
    <ul className={classes.steps} aria-label="How the score came about">
      {describeAdjusted(adjusted).map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  )
}
