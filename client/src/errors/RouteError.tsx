import { useRouteError } from 'react-router-dom'
import { ApiError } from '../lib/api/api-error.ts'
import { ErrorDetails } from './ErrorDetails.tsx'

export function RouteError() {
  const cause = useRouteError()
  const error = ApiError.of('network_error', 'This page could not be loaded. Check your connection and try again.', {
    cause,
  })
  return <ErrorDetails error={error} retry={() => window.location.reload()} variant="page" />
}
