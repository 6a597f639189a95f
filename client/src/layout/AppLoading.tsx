import { Loader } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './AppLoading.module.css'

/** Fades in late, so that quick answers do not flicker. */
export function AppLoading({ children = 'Loading authentication...' }: { children?: ReactNode }) {
  return (
    <div className={classes.root} role="status" data-loading>
      <Loader size="sm" aria-hidden />
      {children}
    </div>
  )
}
