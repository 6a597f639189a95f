import classes from './CompletionBar.module.css'
import { ProgressBar } from './ProgressBar.tsx'

export function CompletionBar({ percent, label }: { percent: number; label: string }) {
  return (
    <div className={classes.root} data-tone={completionTone(percent)}>
      <ProgressBar value={percent} label={label} />
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

function completionTone(percent: number): 'high' | 'middle' | 'low' {
  if (percent >= 80) return 'high'
  return percent >= 60 ? 'middle' : 'low'
}
