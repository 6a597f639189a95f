import { initials } from '../lib/format.ts'
import classes from './Initials.module.css'

/** Beside a name, which says it all: drawn by the style sheet, so that nobody is read two letters first. */
export function Initials({ name }: { name: string }) {
  return <span className={classes.root} data-letters={initials(name)} aria-hidden="true" />
}
