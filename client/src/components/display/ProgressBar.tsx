import classes from './ProgressBar.module.css'

/** The words beside it say the same. What stands around it may set another colour than the accent, as `--tone`. */
export function ProgressBar({ value, max = 100, label }: { value: number; max?: number; label: string }) {
  return <progress className={classes.root} max={max} value={value} aria-label={label} />
}
