import { initials } from '../../lib/format.ts'
import classes from './InitialsAvatar.module.css'

/** Drawn by the style sheet, so that the two letters are not read out before the name beside it. */
export function InitialsAvatar({ name }: { name: string }) {
  return <span className={classes.root} data-letters={initials(name)} aria-hidden="true" />
}
