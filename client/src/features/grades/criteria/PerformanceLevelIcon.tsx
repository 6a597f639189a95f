import type { PerformanceLevel } from '@assay/shared/grades.ts'
import classes from './PerformanceLevelIcon.module.css'

const filledFraction: Record<PerformanceLevel, number> = {
  excellent: 1,
  good: 0.75,
  partial: 0.5,
  minimal: 0.25,
  none: 0,
}

export function PerformanceLevelIcon({ level }: { level: PerformanceLevel }) {
  // A circle of radius 3 drawn with a pen 6 wide is a disc; dashes cut a slice of it.
  const around = 2 * Math.PI * 3
  return (
    <svg viewBox="0 0 16 16" width={14} height={14} className={classes.root} data-level={level} aria-hidden="true">
      <circle cx="8" cy="8" r="7" className={classes.ring} />
      <circle
        cx="8"
        cy="8"
        r="3"
        className={classes.slice}
        strokeDasharray={`${around * filledFraction[level]} ${around}`}
        transform="rotate(-90 8 8)"
      />
    </svg>
  )
}
