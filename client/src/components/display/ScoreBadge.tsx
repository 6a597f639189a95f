import { gradeBand, letterGrade } from '@assay/shared/rules/letter-grades.ts'
import { formatPercent } from '../../lib/format.ts'
import { Attribution } from './Attribution.tsx'
import classes from './ScoreBadge.module.css'

interface Props {
  /** Percent, 0–100. */
  score: number
  /** Whose score it is; none leaves the mark out. */
  who?: 'ai' | 'teacher'
  size?: 'row' | 'head'
}

/** A score with its letter, coloured by band, and the mark of who gave it. */
export function ScoreBadge({ score, who, size = 'row' }: Props) {
  return (
    <span className={classes.root} data-size={size}>
      <span className={classes.score} data-band={gradeBand(score)}>
        {formatPercent(score)}
      </span>
      <span className={classes.letter}>{letterGrade(score)}</span>
      {who && <Attribution who={who}>{who === 'teacher' ? 'override' : 'suggested'}</Attribution>}
    </span>
  )
}
