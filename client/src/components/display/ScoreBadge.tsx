import { gradeBand, letterGrade } from '@assay/shared/rules/letter-grades.ts'
import { formatPercent } from '../../lib/format.ts'
import { Attribution } from './Attribution.tsx'
import classes from './ScoreBadge.module.css'

interface Props {
  /** Percent, 0–100; null where nothing has a score. */
  score: number | null
  /** Points are still to be graded by hand: the score is of the others. */
  partial?: boolean | undefined
  /** Whose score it is; none leaves the mark out. */
  who?: 'ai' | 'teacher'
  size?: 'row' | 'head'
}

/** A score with its letter, coloured by band, and the mark of who gave it. */
export function ScoreBadge({ score, partial = false, who, size = 'row' }: Props) {
  if (score === null) return <span className={classes.letter}>Not graded yet</span>
  return (
    <span className={classes.root} data-size={size}>
      <span className={classes.score} data-band={partial ? undefined : gradeBand(score)}>
        {formatPercent(score)}
      </span>
      <span className={classes.letter}>{partial ? 'so far' : letterGrade(score)}</span>
      {who && <Attribution who={who}>{who === 'teacher' ? 'override' : 'suggested'}</Attribution>}
    </span>
  )
}
