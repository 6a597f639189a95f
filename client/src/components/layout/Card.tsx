import type { ReactNode } from 'react'
import classes from './Card.module.css'

export function Card({ children, label }: { children: ReactNode; label?: string }) {
  return (
    <article className={classes.root} aria-label={label}>
      {children}
    </article>
  )
}

export function CardGrid({ children }: { children: ReactNode }) {
  return <div className={classes.grid}>{children}</div>
}
