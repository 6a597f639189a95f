import { gradeBand, letterGrade } from '@assay/shared/rules/letter-grades.ts'
import { formatPercent, type Points, pointsInWords } from '@assay/shared/rules/points.ts'
import { Attribution } from './Attribution.tsx'
import classes from './ScoreBadge.module.css'

interface Props {
  /** Percent, 0–100; null where nothing has a score. */
  score: number | null
  points?: Points | null
  /** Points are still to be graded by hand: the score is of the others. */
  partial?: boolean | undefined
  who?: 'ai' | 'teacher'
  size?: 'row' | 'head'
}

export function ScoreBadge({ score, points, partial = false, who, size = 'row' }: Props) {
  if (score === null) return <span className={classes.letter}>Not graded yet</span>
  const mark = who === 'teacher' ? 'by teacher' : 'suggested'
  return (
    <span className={classes.root} data-size={size}>
      <span className={classes.percent}>
        <span className={`band ${classes.score}`} data-band={partial ? undefined : gradeBand(score)}>
          {formatPercent(score)}
        </span>
        <span className={classes.letter}>{partial ? 'so far' : letterGrade(score)}</span>
      </span>
      {(points || who) && (
        <span className={classes.by}>
          {points && <span>{pointsInWords(points)}</span>}
          {who && <Attribution who={who}>{mark}</Attribution>}
        </span>
      )}
    </span>
  )
}
