import { ErrorDetails } from '../errors/ErrorDetails.tsx'
import type { ApiError } from '../lib/api/api-error.ts'

/** Somebody is signed in, but the server cannot be asked who. */
export function ServerUnreachable({ error, retry }: { error: ApiError; retry: () => void }) {
  return <ErrorDetails error={error} retry={retry} variant="page" />
}
