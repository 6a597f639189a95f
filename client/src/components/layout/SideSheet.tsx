import { IconChevronUp } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './SideSheet.module.css'

interface Props {
  label: string
  open: boolean
  setOpen: (open: boolean) => void
  edge: ReactNode
  actions?: ReactNode
  children: ReactNode
}

/** On a phone it lies below the paper, and is drawn up over it. */
export function SideSheet({ label, open, setOpen, edge, actions, children }: Props) {
  return (
    <aside className={classes.root} aria-label={label} data-open={open || undefined}>
      <button type="button" className={classes.edge} aria-expanded={open} onClick={() => setOpen(!open)}>
        <span className={classes.grip} aria-hidden="true" />
        <span className={classes.words}>{open ? <strong>{label}</strong> : edge}</span>
        <IconChevronUp size={20} className={classes.arrow} aria-hidden />
      </button>
      <div className={classes.content}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and must do so by keyboard too */}
        <section className={classes.scroller} tabIndex={0} aria-label={`${label}, details`}>
          {children}
        </section>
        {actions}
      </div>
    </aside>
  )
}
