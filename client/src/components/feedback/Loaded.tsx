import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { ErrorDetails } from '../../errors/ErrorDetails.tsx'
import { type ApiError, messageOf } from '../../lib/api/api-error.ts'
import type { QueryResult } from '../../lib/api/api-hooks.ts'
import { Page } from '../layout/Page.tsx'
import classes from './Loaded.module.css'

interface Props<T> {
  query: QueryResult<T>
  /** Of the error, with what is said where the server had nothing more exact, and buttons beside the retry. */
  title?: string
  fallback?: string
  actions?: ReactNode
  /** Shown until there are data or an error. */
  skeleton: ReactNode
  children: (data: T) => ReactNode
}

/** The data of a call; a failed reload leaves those on the screen that were there. */
export function Loaded<T>({ query: { data, error, reload }, actions, skeleton, children, ...words }: Props<T>) {
  if (data) return children(data)
  if (!error) return skeleton
  return (
    <LoadError error={error} retry={reload} {...words}>
      {actions}
    </LoadError>
  )
}

interface LoadErrorProps {
  error: ApiError
  retry: () => unknown
  title?: string
  /** What is said where the server had nothing more exact: ‘Failed to load dashboard data.’ */
  fallback?: string
  /** What is said in any case, where a screen chooses by what went wrong. */
  message?: string
  /** Nothing else is on the page. */
  isWhole?: boolean
  children?: ReactNode
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
