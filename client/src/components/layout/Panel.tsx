import { type ReactNode, useId } from 'react'
import classes from './Panel.module.css'

/** A part of a page with a heading and what can be done there. */
export function Panel({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <div className={classes.head}>
        <h2 id={id} className={classes.title}>
          {title}
        </h2>
        {actions}
      </div>
      {children}
    </section>
  )
}

/** Rows under each other, parted by hairlines. */
export function PanelList({ children, label }: { children: ReactNode; label: string }) {
  return (
    <ul className={classes.list} aria-label={label}>
      {children}
    </ul>
  )
}
