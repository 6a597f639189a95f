import type { ReactNode } from 'react'
import { ErrorIllustration } from '../components/feedback/EmptyState.tsx'
import type { ApiError } from '../lib/api/api-error.ts'
import { ErrorActions, errorTitle } from './ErrorActions.tsx'
import classes from './ErrorDetails.module.css'

interface Props {
  error: ApiError
  retry?: () => unknown
  title?: string
  variant: 'inline' | 'page'
  isWhole?: boolean | undefined
  children?: ReactNode
}

export function ErrorDetails({ error, retry, title, variant, isWhole = false, children }: Props) {
  const isPage = variant === 'page'
  const Heading = isPage || isWhole ? 'h1' : 'h2'
  return (
    <section className={classes.root} data-variant={variant} role="alert">
      {isPage && <ErrorIllustration />}
      <Heading className={classes.title}>{title ?? errorTitle(error)}</Heading>
      <ErrorMessage error={error} />
      <ErrorActions error={error} retry={retry} refresh={isPage}>
        {children}
      </ErrorActions>
      <ErrorId error={error} />
    </section>
  )
}

export function ErrorMessage({ error }: { error: ApiError }) {
  const { suggestions } = error.reply
  return (
    <>
      <p className={classes.message}>{error.message}</p>
      {suggestions.length > 0 && (
        <ul className={classes.suggestions}>
          {suggestions.map((suggestion) => (
            <li key={suggestion}>{suggestion}</li>
          ))}
        </ul>
      )}
    </>
  )
}

export function ErrorId({ error: { reply } }: { error: ApiError }) {
  return reply.request_id ? <p className={classes.id}>Error ID {reply.request_id}</p> : null
}
