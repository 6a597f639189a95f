import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { SecondaryButton } from '../components/display/buttons.tsx'
import { supportMailLink } from './ErrorActions.tsx'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import classes from './ErrorDetails.module.css'
import { RetryButton } from './RetryButton.tsx'
import { MAX_RETRIES } from './retry-policy.ts'

/** Uses nothing that could have broken with the rest. */
export function AppErrorBoundary({ children }: { children: ReactNode }) {
  return (
    <ErrorBoundary
      name="app"
      maxRetries={MAX_RETRIES.app}
      renderError={(error, retrying) => (
        <section className={classes.root} data-variant="page" role="alert">
          <h1 className={classes.title}>System Error</h1>
          <p className={classes.message}>{error.message}</p>
          <ul className={classes.suggestions}>
            {error.reply.suggestions.map((suggestion) => (
              <li key={suggestion}>{suggestion}</li>
            ))}
          </ul>
          <div className={classes.actions}>
            <RetryButton {...retrying} />
            <SecondaryButton onClick={() => window.location.reload()}>Refresh Page</SecondaryButton>
            <Button component="a" href={supportMailLink(error)} variant="subtle">
              Contact Support
            </Button>
          </div>
        </section>
      )}
    >
      {children}
    </ErrorBoundary>
  )
}
