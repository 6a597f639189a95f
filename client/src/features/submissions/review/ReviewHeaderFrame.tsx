import type { ReactNode } from 'react'
import { BackButton } from '../../../components/layout/BackButton.tsx'
import { Breadcrumbs, type Crumb } from '../../../components/layout/Breadcrumbs.tsx'
import classes from './ReviewHeader.module.css'

interface FrameProps {
  back: string
  backLabel: string
  crumbs: Crumb[]
  title: string
  facts: ReactNode
  children: ReactNode
}

export function ReviewHeaderFrame({ back, backLabel, crumbs, title, facts, children }: FrameProps) {
  return (
    <header className={classes.root}>
      <BackButton to={back} label={backLabel} className={classes.back} />
      <div className={classes.who}>
        <Breadcrumbs inOneLine crumbs={crumbs} />
        <div className={classes.nameLine}>
          <h1 className={classes.name}>{title}</h1>
          {facts}
        </div>
      </div>
      {children}
    </header>
  )
}

export function HeaderFact({ children }: { children: ReactNode }) {
  return <span className={classes.facts}>{children}</span>
}
