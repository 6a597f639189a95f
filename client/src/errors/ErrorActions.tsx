import { getPublicSettings } from '@assay/shared/settings.ts'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useInRouterContext } from 'react-router-dom'
import { LinkButton, SecondaryButton } from '../components/display/buttons.tsx'
import type { ApiError } from '../lib/api/api-error.ts'
import { useGet } from '../lib/api/api-hooks.ts'
import { newerCodeOf } from '../lib/api/error-reply.ts'
import { launchId } from '../lib/session/launch-path.ts'
import classes from './ErrorDetails.module.css'
import { supportMailLink } from './error-messages.ts'

interface Props {
  error: ApiError
  retry?: (() => unknown) | undefined
  refresh?: boolean
  children?: ReactNode
}

export function ErrorActions({ error, retry, refresh = false, children }: Props) {
  const { reply } = error
  const settings = useGet(getPublicSettings, undefined, undefined, { enabled: reply.contact_support })
  return (
    <div className={classes.actions}>
      {retry && reply.can_retry && <Button onClick={() => void retry()}>Try Again</Button>}
      {(refresh || newerCodeOf(reply) !== null || reply.category === 'system') && (
        <SecondaryButton onClick={() => window.location.reload()}>Refresh Page</SecondaryButton>
      )}
      {reply.category === 'auth' && launchId === null && <LogIn />}
      {children}
      {reply.contact_support && (
        <Button component="a" href={supportMailLink(error, settings.data?.support_email)} variant="subtle">
          Contact Support
        </Button>
      )}
    </div>
  )
}

/** Toasts are drawn outside the router. */
function LogIn() {
  const inside = useInRouterContext()
  const { pathname, search } = window.location
  const to = `/auth/login?redirect=${encodeURIComponent(pathname + search)}`
  return inside ? (
    <LinkButton to={to}>Log In</LinkButton>
  ) : (
    <Button component="a" href={to} variant="default">
      Log In
    </Button>
  )
}
