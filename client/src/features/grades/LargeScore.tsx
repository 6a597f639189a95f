import { gradeBand, letterGrade } from '@assay/shared/rules/letter-grades.ts'
import type { ReactNode } from 'react'
import { formatPercent } from '../../lib/format.ts'
import { bandLabels } from './grade-labels.ts'
import classes from './LargeScore.module.css'

interface Props {
  /** Percent; null where there is none yet. */
  score: number | null
  /** Points are still to be graded by hand: the score is of the others. */
  partial?: boolean
  size?: 'md' | 'lg'
  children?: ReactNode
}

export function LargeScore({ score, partial = false, size = 'lg', children }: Props) {
  const band = gradeBand(partial ? null : score)
  return (
    <p className={classes.root} data-size={size}>
      <span className={`band ${classes.percent}`} data-band={band}>
        {score === null ? '–' : formatPercent(score)}
      </span>
      {partial ? (
        <span className="dim">{score === null ? 'Not graded yet' : 'so far'}</span>
      ) : (
        <>
          <span className={classes.letter}>{letterGrade(score)}</span>
          {score !== null && <span className="dim">{bandLabels[band]}</span>}
        </>
      )}
      {children}
    </p>
  )
}
