import type { ReactNode } from 'react'
import { NotFoundPage } from '../layout/NotFoundPage.tsx'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { ErrorDetails } from './ErrorDetails.tsx'
import { RetryButton } from './RetryButton.tsx'
import { MAX_RETRIES } from './retry-policy.ts'

/** Inside the bar, so that there is a way out. */
export function PageErrorBoundary({ children }: { children: ReactNode }) {
  return (
    <ErrorBoundary
      name="page"
      maxRetries={MAX_RETRIES.page}
      renderError={(error, retrying) =>
        error.code === 'resource_not_found' ? (
          <NotFoundPage words={error.message} />
        ) : (
          <ErrorDetails error={error} variant="page">
            <RetryButton {...retrying} />
          </ErrorDetails>
        )
      }
    >
      {children}
    </ErrorBoundary>
  )
}
