import { gradeBand, letterGrade } from '@assay/shared/rules/letters.ts'
import type { ReactNode } from 'react'
import { formatPercent } from '../../lib/format.ts'
import classes from './BigScore.module.css'
import { bandWords } from './grade-words.ts'

interface Props {
  /** Percent; null where there is none yet. */
  score: number | null
  size?: 'md' | 'lg'
  /** What stands beside it: a badge, who said so. */
  children?: ReactNode
}

/** A score large: percent in its band's colour, the letter, and the band in a word. */
export function BigScore({ score, size = 'lg', children }: Props) {
  const band = gradeBand(score)
  return (
    <p className={classes.root} data-size={size}>
      <span className={classes.percent} data-band={band}>
        {score === null ? '–' : formatPercent(score)}
      </span>
      <span className={classes.letter}>{letterGrade(score)}</span>
      {score !== null && <span className={classes.band}>{bandWords[band]}</span>}
      {children}
    </p>
  )
}
