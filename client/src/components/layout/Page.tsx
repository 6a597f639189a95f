import { type ReactNode, useId } from 'react'
import { Breadcrumbs, type Crumb } from './Breadcrumbs.tsx'
import classes from './Page.module.css'
import panelClasses from './Panel.module.css'
import { usePageTitle } from './usePageTitle.ts'

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

interface PageHeaderProps {
  title: string
  tabTitle?: string
  subtitle?: ReactNode
  badge?: ReactNode
  actions?: ReactNode
  crumbs?: Crumb[]
}

export function PageHeader({ title, tabTitle, subtitle, badge, actions, crumbs }: PageHeaderProps) {
  usePageTitle(tabTitle ?? title)
  return (
    <header className={classes.header}>
      {crumbs && <Breadcrumbs crumbs={crumbs} />}
      <div className={classes.row}>
        <div className={classes.words}>
          <div className={classes.titleRow}>
            <h1 className={classes.title}>{title}</h1>
            {badge}
          </div>
          {subtitle && <div className={classes.subtitle}>{subtitle}</div>}
        </div>
        {actions && <div className={classes.actions}>{actions}</div>}
      </div>
    </header>
  )
}

export function Panel({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <div className={panelClasses.head}>
        <h2 id={id} className={panelClasses.title}>
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
    <ul className={`boxed-list ${panelClasses.list}`} aria-label={label}>
      {children}
    </ul>
  )
}
