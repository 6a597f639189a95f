import type { ReactNode } from 'react'
import classes from './EmptyState.module.css'
import { EmptyTrayIllustration } from './illustrations.tsx'

interface Props {
  illustration?: ReactNode
  title: string
  children?: ReactNode
  action?: ReactNode
  titleOrder?: 1 | 2 | 3
}

export function EmptyState({
  illustration = <EmptyTrayIllustration />,
  title,
  children,
  action,
  titleOrder = 2,
}: Props) {
  const Heading = `h${titleOrder}` as const
  return (
    <div className={classes.root}>
      <div className="dim">{illustration}</div>
      <Heading className={classes.title}>{title}</Heading>
      {children && <p className={classes.text}>{children}</p>}
      {action && <div className={classes.action}>{action}</div>}
    </div>
  )
}
