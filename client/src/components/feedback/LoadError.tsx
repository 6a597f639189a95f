import type { ReactNode } from 'react'
import { ErrorDetails } from '../../errors/ErrorDetails.tsx'
import { ApiError, messageOf } from '../../lib/api/api-error.ts'

interface Props {
  error: ApiError
  retry: () => unknown
  title?: string
  /** What is said where the server had nothing more exact: ‘Failed to load dashboard data.’ */
  fallback?: string
  /** What is said in any case, where a screen chooses by what went wrong. */
  message?: string
  children?: ReactNode
}

export function LoadError({ error, retry, title, fallback, message, children }: Props) {
  return (
    <ErrorDetails
      error={withMessage(error, message ?? (fallback === undefined ? error.message : messageOf(error, fallback)))}
      retry={retry}
      title={title}
      variant="inline"
    >
      {children}
    </ErrorDetails>
  )
}

function withMessage(error: ApiError, words: string): ApiError {
  return words === error.message ? error : new ApiError(error.status, { ...error.reply, detail: words })
}
