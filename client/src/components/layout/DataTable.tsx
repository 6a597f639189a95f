import type { ReactNode } from 'react'
import classes from './DataTable.module.css'

/** Scrolls by itself where it has no room. */
export function DataTable({ children, className }: { children: ReactNode; className: string | undefined }) {
  return (
    <div className={classes.frame}>
      <table className={`${classes.table} ${className}`}>{children}</table>
    </div>
  )
}
