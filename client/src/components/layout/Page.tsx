import { Skeleton } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { ErrorDetails } from '../../errors/ErrorDetails.tsx'
import { type ApiError, messageOf } from '../../lib/api/api-error.ts'
import type { QueryResult } from '../../lib/api/api-hooks.ts'
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

interface LoadErrorProps {
  error: ApiError
  retry: () => unknown
  title?: string
  fallback?: string
  message?: string | undefined
  isWhole?: boolean
  children?: ReactNode
}

interface Props<T> extends Omit<LoadErrorProps, 'error' | 'retry' | 'children'> {
  query: QueryResult<T>
  actions?: ReactNode
  skeleton: ReactNode
  children: (data: T) => ReactNode
}

/** A failed reload leaves the old data on screen. */
export function Loaded<T>({ query: { data, error, reload }, actions, skeleton, children, ...words }: Props<T>) {
  if (data) return children(data)
  if (!error) return skeleton
  return (
    <LoadError error={error} retry={reload} {...words}>
      {actions}
    </LoadError>
  )
}

export function LoadError({ error, retry, title, fallback, message, isWhole, children }: LoadErrorProps) {
  const words = message ?? messageOf(error, fallback ?? error.message)
  return (
    <ErrorDetails
      error={words === error.message ? error : error.withDetail(words)}
      retry={retry}
      title={title}
      variant="inline"
      isWhole={isWhole}
    >
      {children}
    </ErrorDetails>
  )
}

export function PageSkeleton({ label = 'Loading' }: { label?: string }) {
  return (
    <Page>
      <Skeleton height={28} width="min(20rem, 70%)" radius="sm" />
      <Skeleton height={16} width="min(28rem, 90%)" mt={12} radius="sm" />
      <div className={classes.gap} />
      <RowSkeletons label={label} />
    </Page>
  )
}

export function CardSkeletons({ count = 6, height = 152, label }: { count?: number; height?: number; label: string }) {
  return (
    <div className={classes.cards} data-loading role="status" aria-label={label}>
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
        <Skeleton key={index} height={height} radius="lg" />
      ))}
    </div>
  )
}

export function RowSkeletons({ count = 8, label }: { count?: number; label: string }) {
  return (
    <div className={classes.rows} data-loading role="status" aria-label={label}>
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
        <Skeleton key={index} height={44} radius="sm" />
      ))}
    </div>
  )
}
