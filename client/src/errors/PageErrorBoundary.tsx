import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { NotFoundPage } from '../layout/NotFoundPage.tsx'
import { ErrorBoundary, MAX_RETRIES } from './ErrorBoundary.tsx'
import { ErrorDetails } from './ErrorDetails.tsx'

/** Around each page: the bar stays, so that there is a way out. */
export function PageErrorBoundary({ children }: { children: ReactNode }) {
  return (
    <ErrorBoundary
      show={(error, retry, tries) =>
        error.code === 'resource_not_found' ? (
          <NotFoundPage />
        ) : (
          <ErrorDetails error={error} variant="page">
            {retry ? (
              <Button onClick={retry}>
                Retry {tries}/{MAX_RETRIES}
              </Button>
            ) : (
              <p>Maximum retry attempts reached. Please reload the page or contact support.</p>
            )}
          </ErrorDetails>
        )
      }
    >
      {children}
    </ErrorBoundary>
  )
}
