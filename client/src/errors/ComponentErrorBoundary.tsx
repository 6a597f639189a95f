import type { ReactNode } from 'react'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { ErrorDetails } from './ErrorDetails.tsx'
import { RetryButton } from './RetryButton.tsx'
import { MAX_RETRIES } from './retry-policy.ts'

export function ComponentErrorBoundary({ children }: { children: ReactNode }) {
  return (
    <ErrorBoundary
      name="component"
      maxRetries={MAX_RETRIES.component}
      renderError={(error, retrying) => (
        <ErrorDetails error={error} variant="inline">
          <RetryButton {...retrying} />
        </ErrorDetails>
      )}
    >
      {children}
    </ErrorBoundary>
  )
}
