import { type AdjustedScore, describeAdjusted } from '@assay/shared/rules/adjust-score.ts'
import classes from './ScoreSteps.module.css'

export function ScoreSteps({ adjusted }: { adjusted: AdjustedScore }) {
  return (
    <ul className={classes.root} aria-label="How the score came about">
      {describeAdjusted(adjusted).map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  )
}
