import type { ReactNode } from 'react'
import classes from './Page.module.css'

/** The width a page's content takes, by what it holds; widths are the specification's. */
export function Page({
  width = 'wide',
  children,
}: {
  width?: 'narrow' | 'reading' | 'standard' | 'wide'
  children: ReactNode
}) {
  return (
    <div className={classes.root} data-width={width}>
      {children}
    </div>
  )
}
