import type { StudentCourse } from '@assay/shared/students.ts'
import { ProgressBar } from '../../../components/display/ProgressBar.tsx'
import classes from './CompletionBar.module.css'

export function CompletionBar({ percent, label = 'Graded so far' }: { percent: number; label?: string }) {
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

/** In whole percent; null where there is nothing to grade yet. */
export function percentComplete(course: StudentCourse): number | null {
  if (course.assignment_count === 0) return null
  return Math.round((100 * course.graded_assignment_count) / course.assignment_count)
}

function completionTone(percent: number): 'high' | 'middle' | 'low' {
  if (percent >= 80) return 'high'
  return percent >= 60 ? 'middle' : 'low'
}
