import { type ReactNode, useId } from 'react'
import classes from './Panel.module.css'

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

export function PanelList({ children, label }: { children: ReactNode; label: string }) {
  return (
    <ul className={`boxed-list ${classes.list}`} aria-label={label}>
      {children}
    </ul>
  )
}
