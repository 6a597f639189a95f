import classes from './ProgressBar.module.css'

export function ProgressBar({ value, max = 100, label }: { value: number; max?: number; label: string }) {
  return <progress className={classes.root} max={max} value={value} aria-label={label} />
}
