import { getPublicSettings } from '@assay/shared/settings.ts'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router-dom'
import { TroubleDrawing } from '../components/drawings.tsx'
import { useGet } from '../lib/api.ts'
import type { ApiError } from '../lib/api-error.ts'
import classes from './ErrorDetails.module.css'
import { supportLink, titleOf } from './error-words.ts'

interface Props {
  error: ApiError
  retry?: () => unknown
  title?: string
  variant: 'inline' | 'page'
  children?: ReactNode
}

/** A structured error with what can be done about it. */
export function ErrorDetails({ error, retry, title, variant, children }: Props) {
  const { reply } = error
  const location = useLocation()
  const settings = useGet(getPublicSettings, undefined, undefined, { when: reply.contact_support })
  const isPage = variant === 'page'
  const Heading = isPage ? 'h1' : 'h2'
  const here = encodeURIComponent(location.pathname + location.search)
  return (
    <section className={classes.root} data-variant={variant} role="alert">
      {isPage && <TroubleDrawing />}
      <Heading className={classes.title}>{title ?? titleOf(error)}</Heading>
      <p className={classes.message}>{error.message}</p>
      {reply.suggestions.length > 0 && (
        <ul className={classes.suggestions}>
          {reply.suggestions.map((suggestion) => (
            <li key={suggestion}>{suggestion}</li>
          ))}
        </ul>
      )}
      <div className={classes.actions}>
        {retry && reply.can_retry && <Button onClick={() => void retry()}>Try Again</Button>}
        {(isPage || reply.category === 'system') && (
          <Button variant="default" onClick={() => window.location.reload()}>
            Refresh Page
          </Button>
        )}
        {error.status === 401 && (
          <Button component={Link} to={`/auth/login?redirect=${here}`} variant="default">
            Log In
          </Button>
        )}
        {children}
        {reply.contact_support && (
          <Button component="a" href={supportLink(error, settings.data?.support_email)} variant="subtle">
            Contact Support
          </Button>
        )}
      </div>
      {reply.request_id && <p className={classes.id}>Error ID {reply.request_id}</p>}
    </section>
  )
}
