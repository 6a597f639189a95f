import { Loader } from '@mantine/core'
import classes from './StartingUp.module.css'

/** Shown while we find out who is signed in; it fades in late, so that quick answers do not flicker. */
export function StartingUp() {
  return (
    <div className={classes.root} role="status">
      <Loader size="sm" aria-hidden />
      Loading authentication...
    </div>
  )
}
