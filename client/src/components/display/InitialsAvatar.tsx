import { initials } from '../../lib/format.ts'
import classes from './InitialsAvatar.module.css'

/** Letters come from the style sheet, so that they are not read out before the name. */
export function InitialsAvatar({ name }: { name: string }) {
  return <span className={classes.root} data-letters={initials(name)} aria-hidden="true" />
}
