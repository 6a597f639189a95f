import type { ReactNode } from 'react'
import classes from './DataTable.module.css'

export function DataTable({ children, className }: { children: ReactNode; className: string | undefined }) {
  return (
    <div className={classes.frame}>
      <table className={`${classes.table} ${className}`}>{children}</table>
    </div>
  )
}

export function TableHead({ columns }: { columns: readonly string[] }) {
  return (
    <thead>
      <tr>
        {columns.map((name) => (
          <th key={name} scope="col">
            {name}
          </th>
        ))}
      </tr>
    </thead>
  )
}
