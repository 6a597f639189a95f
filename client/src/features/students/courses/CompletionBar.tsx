import classes from './CompletionBar.module.css'
import { completionTone } from './completion.ts'

/** How much of a course is graded; the words beside it say the same. */
export function CompletionBar({ percent, label = 'Graded so far' }: { percent: number; label?: string }) {
  return (
    <div className={classes.root} data-tone={completionTone(percent)}>
      <progress className={classes.bar} max={100} value={percent} aria-label={label} />
    </div>
  )
}

export function CompletionBadge({ percent }: { percent: number }) {
  return (
    <span className={classes.badge} data-tone={completionTone(percent)}>
      {percent}% Complete
    </span>
  )
}
