import { type AdjustedScore, describeStep } from '@assay/shared/rules/adjust-score.ts'
import { formatPercent } from '../../lib/format.ts'
import classes from './ScoreSteps.module.css'

export function ScoreSteps({ adjusted }: { adjusted: AdjustedScore }) {
  return (
    <ul className={classes.root} aria-label="How the score came about">
      <li>As graded: {formatPercent(adjusted.raw_score)}</li>
      {adjusted.steps.map((step) => (
        <li key={step.kind}>{describeStep(step)}</li>
      ))}
    </ul>
  )
}
