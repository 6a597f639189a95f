import { ErrorActions } from '../../errors/ErrorActions.tsx'
import type { ApiError } from '../../lib/api/api-error.ts'

/** What a structured error says in a toast, below its title. */
export function ErrorToast({ error }: { error: ApiError }) {
  return (
    <>
      {error.message}
      <ErrorActions error={error} />
    </>
  )
}
