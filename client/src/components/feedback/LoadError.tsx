import type { ReactNode } from 'react'
import { ErrorDetails } from '../../errors/ErrorDetails.tsx'
import { type ApiError, messageOf } from '../../lib/api/api-error.ts'

interface Props {
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

export function LoadError({ error, retry, title, fallback, message, isWhole, children }: Props) {
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
