import type { ReactNode } from 'react'
import classes from './EmptyState.module.css'

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

function Illustration({ children }: { children: ReactNode }) {
  return (
    <svg className={classes.illustration} viewBox="0 0 160 112" height={112} aria-hidden="true">
      {children}
    </svg>
  )
}

export function PapersIllustration() {
  return (
    <Illustration>
      <rect x="34" y="26" width="52" height="70" rx="4" transform="rotate(-9 60 61)" className={classes.sheet} />
      <rect x="74" y="26" width="52" height="70" rx="4" transform="rotate(9 100 61)" className={classes.sheet} />
      <rect x="54" y="18" width="52" height="72" rx="4" className={classes.sheet} />
      <path d="M63 32h24M63 44h34M63 53h30M63 62h33" className={classes.line} />
      <path d="m66 76 5 5 10-11" className={classes.accent} />
    </Illustration>
  )
}

export function CourseIllustration() {
  return (
    <Illustration>
      <path d="M80 30c-10-8-28-9-46-6v60c18-3 36-2 46 6 10-8 28-9 46-6V24c-18-3-36-2-46 6Z" className={classes.sheet} />
      <path d="M80 30v60" className={classes.line} />
      <path d="M44 38c9-1 18 0 26 3M44 50c9-1 18 0 26 3M44 62c9-1 18 0 26 3" className={classes.line} />
      <path d="M90 41c8-3 17-4 26-3M90 53c8-3 17-4 26-3" className={classes.accent} />
    </Illustration>
  )
}

export function EmptyTrayIllustration() {
  return (
    <Illustration>
      <path d="M36 62h24l7 12h26l7-12h24v28a5 5 0 0 1-5 5H41a5 5 0 0 1-5-5Z" className={classes.sheet} />
      <path d="m36 62 12-26h10M124 62l-12-26h-10" className={classes.line} />
      <rect x="60" y="14" width="40" height="42" rx="4" className={classes.sheet} />
      <path d="M68 26h24M68 35h18" className={classes.line} />
      <path d="M80 40v18m-6-6 6 6 6-6" className={classes.accent} />
    </Illustration>
  )
}

export function PeopleIllustration() {
  return (
    <Illustration>
      <circle cx="60" cy="42" r="13" className={classes.sheet} />
      <path d="M36 88c1-16 11-25 24-25s23 9 24 25" className={classes.line} />
      <circle cx="104" cy="48" r="10" className={classes.sheet} />
      <path d="M92 72c3-2 7-4 12-4 11 0 18 7 19 20" className={classes.accent} />
      <path d="M28 88h104" className={classes.line} />
    </Illustration>
  )
}

export function NotFoundIllustration() {
  return (
    <Illustration>
      <path d="M54 16h38l16 16v52l-9 7-9-7-9 7-9-7-9 7-9-7Z" className={classes.sheet} />
      <path d="M92 16v16h16" className={classes.line} />
      <path d="M73 48c0-10 16-10 16 0 0 7-8 7-8 14" className={classes.accent} />
      <circle cx="81" cy="70" r="1.6" className={classes.dot} />
    </Illustration>
  )
}

export function ErrorIllustration() {
  return (
    <Illustration>
      <rect x="54" y="18" width="52" height="72" rx="4" className={classes.sheet} />
      <path d="M63 32h24M63 44h34" className={classes.line} />
      <path d="M80 56v14" className={classes.accent} />
      <circle cx="80" cy="78" r="1.6" className={classes.dot} />
    </Illustration>
  )
}
