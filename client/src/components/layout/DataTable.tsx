import type { ReactNode } from 'react'
import classes from './DataTable.module.css'

export function DataTable({ children, className }: { children: ReactNode; className: string | undefined }) {
  return (
    <div className={classes.frame}>
      <table className={`${classes.table} ${className}`}>{children}</table>
    </div>
  )
}
