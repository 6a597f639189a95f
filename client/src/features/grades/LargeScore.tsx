import { gradeBand, letterGrade } from '@assay/shared/rules/letter-grades.ts'
import type { ReactNode } from 'react'
import { formatPercent } from '../../lib/format.ts'
import { bandLabels } from './grade-labels.ts'
import classes from './LargeScore.module.css'

interface Props {
  /** Percent; null where there is none yet. */
  score: number | null
  size?: 'md' | 'lg'
  /** What is shown beside it: a badge, who gave it. */
  children?: ReactNode
}

/** A score large: percent in its band's colour, the letter, and the band in a word. */
export function LargeScore({ score, size = 'lg', children }: Props) {
  const band = gradeBand(score)
  return (
    <p className={classes.root} data-size={size}>
      <span className={classes.percent} data-band={band}>
        {score === null ? '–' : formatPercent(score)}
      </span>
      <span className={classes.letter}>{letterGrade(score)}</span>
      {score !== null && <span className={classes.band}>{bandLabels[band]}</span>}
      {children}
    </p>
  )
}
