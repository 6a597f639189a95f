import { useRouteError } from 'react-router-dom'
import { ApiError } from '../lib/api/api-error.ts'
import { ErrorDetails } from './ErrorDetails.tsx'

/** A page's program part did not load: offline, or a new version has been put in place meanwhile. */
export function RouteError() {
  const cause = useRouteError()
  const error = ApiError.of('network_error', 'This page could not be loaded. Check your connection and try again.', {
    cause,
  })
  return <ErrorDetails error={error} retry={() => window.location.reload()} variant="page" />
}
