import type { ReactNode } from 'react'
import { Breadcrumbs, type Crumb } from './Breadcrumbs.tsx'
import classes from './PageHeader.module.css'
import { usePageTitle } from './usePageTitle.ts'

interface Props {
  title: string
  /** In the browser's tab where it should say more than the heading. */
  tabTitle?: string
  subtitle?: ReactNode
  badge?: ReactNode
  actions?: ReactNode
  crumbs?: Crumb[]
}

export function PageHeader({ title, tabTitle, subtitle, badge, actions, crumbs }: Props) {
  usePageTitle(tabTitle ?? title)
  return (
    <header className={classes.root}>
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
