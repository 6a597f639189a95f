import { getPublicSettings } from '@assay/shared/settings.ts'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useInRouterContext } from 'react-router-dom'
import { LinkButton, SecondaryButton } from '../components/display/buttons.tsx'
import { ApiError } from '../lib/api/api-error.ts'
import { useGet } from '../lib/api/api-hooks.ts'
import { newerCodeOf } from '../lib/api/error-reply.ts'
import { InvalidRouteIdError } from '../lib/hooks/useRouteIds.ts'
import { launchId } from '../lib/session/launch-path.ts'
import classes from './ErrorDetails.module.css'

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

export function errorTitle(error: ApiError): string {
  const { category } = error.reply
  if (category === 'validation') return 'Please Check Your Input'
  if (category === 'auth') return 'Authentication Required'
  if (category === 'system' || category === 'database') return 'System Error'
  return 'Error Occurred'
}

export function supportMailLink(error: ApiError, address: string | null = null): string {
  const subject = 'Assay: something went wrong'
  const body = `Error ID: ${error.reply.request_id || 'none'}\nCode: ${error.code}\nMessage: ${error.message}\nAt: ${error.reply.timestamp}\n`
  return `mailto:${encodeURIComponent(address ?? '').replace('%40', '@')}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`
}

export function toCrashError(cause: unknown): ApiError {
  if (cause instanceof ApiError) return cause
  if (cause instanceof InvalidRouteIdError) return ApiError.of('resource_not_found', cause.message, { cause })
  const error = ApiError.of('unexpected_error', 'An unexpected error occurred in the application.', { cause })
  error.reply.error_code = 'component_error'
  error.reply.category = 'system'
  error.reply.suggestions = [
    'Refresh the page.',
    'Clear the browser’s cache if it happens again.',
    'Contact support if the problem continues.',
  ]
  return error
}
