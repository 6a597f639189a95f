import { initials } from '../../lib/format.ts'
import classes from './InitialsAvatar.module.css'

/** Beside a name, which says it all: drawn by the style sheet, so that nobody is read two letters first. */
export function InitialsAvatar({ name }: { name: string }) {
  return <span className={classes.root} data-letters={initials(name)} aria-hidden="true" />
}
