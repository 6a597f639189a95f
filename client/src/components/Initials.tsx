import { initials } from '../lib/format.ts'
import classes from './Initials.module.css'

/** Beside a name, which says it all: hidden from screen readers. */
export function Initials({ name }: { name: string }) {
  return (
    <span className={classes.root} aria-hidden="true">
      {initials(name)}
    </span>
  )
}
