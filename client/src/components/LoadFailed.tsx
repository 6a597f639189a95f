import type { ReactNode } from 'react'
import { ErrorDetails } from '../errors/ErrorDetails.tsx'
import type { ApiError } from '../lib/api-error.ts'

interface Props {
  error: ApiError
  retry: () => unknown
  /** The screen's own words: ‘Error Loading Submissions’. */
  title?: string
  /** A way out beside Try Again. */
  children?: ReactNode
}

/** Stands where the data would be. */
export function LoadFailed({ error, retry, title, children }: Props) {
  return (
    <ErrorDetails error={error} retry={retry} title={title} variant="inline">
      {children}
    </ErrorDetails>
  )
}
