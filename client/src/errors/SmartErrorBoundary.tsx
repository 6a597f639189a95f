import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { launchId } from '../lib/session/launch-path.ts'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { ErrorDetails } from './ErrorDetails.tsx'
import { RetryButton } from './RetryButton.tsx'
import {
  type BoundaryContext,
  type Criticality,
  MAX_RETRIES,
  type RetryStrategy,
  smartBoundaryMaxRetries,
} from './retry-policy.ts'

const titles: Record<BoundaryContext, string> = {
  auth: 'Authentication Error',
  data: 'Data Loading Error',
  api: 'Service Error',
  file: 'File Processing Error',
  component: 'Component Error',
}

interface Props {
  children: ReactNode
  context: BoundaryContext
  criticality?: Criticality
  maxRetries?: number
  strategy?: RetryStrategy
  beforeRetry?: () => void
}

export function SmartErrorBoundary({
  children,
  context,
  criticality = 'default',
  maxRetries,
  strategy,
  beforeRetry,
}: Props) {
  return (
    <ErrorBoundary
      name={context}
      maxRetries={smartBoundaryMaxRetries(context, criticality, maxRetries)}
      {...(strategy ? { strategy } : {})}
      {...(beforeRetry ? { beforeRetry } : {})}
      renderError={(error, retrying) => (
        <ErrorDetails error={error} title={titles[context]} variant="inline">
          <RetryButton {...retrying} />
          {context === 'auth' && launchId === null && (
            <Button component="a" href="/auth/login" variant="default">
              Go to Login
            </Button>
          )}
        </ErrorDetails>
      )}
    >
      {children}
    </ErrorBoundary>
  )
}

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
