import { getCsrfToken } from '@assay/shared/auth.ts'
import { CSRF_REFRESH_MS } from '@assay/shared/rules/limits.ts'
import { call } from './http.ts'
import { csrfStore, tokenStore } from './stored.ts'

/** When the kept token came; 0 for one from before this page was loaded. */
let cameAt = 0
/** They live an hour and are renewed every half; one this old has missed a renewal soon. */
const STALE_MS = 25 * 60_000

/** Whether the kept token may be refused: after a sleep of the machine, say. */
export const csrfMayBeStale = () => Date.now() - cameAt > STALE_MS

let asking: { token: string | null; promise: Promise<string> } | null = null

/** Asks for a new CSRF token for the session there is now; several askers share one call. */
export function freshCsrfToken(): Promise<string> {
  const token = tokenStore.get()
  if (asking?.token === token) return asking.promise
  const promise = call(getCsrfToken, {})
    .then(({ body }) => {
      csrfStore.set(body.csrf_token)
      cameAt = Date.now()
      return body.csrf_token
    })
    .finally(() => {
      if (asking?.promise === promise) asking = null
    })
  asking = { token, promise }
  return promise
}

export async function csrfToken(): Promise<string> {
  return csrfStore.get() ?? (await freshCsrfToken())
}

/** Fetches a token now, every 30 minutes, and whenever somebody else signs in: it is bound to the session. */
export function keepCsrfFresh(): () => void {
  const refresh = () => {
    // A failure here shows where it matters: at the change that needed the token.
    freshCsrfToken().catch(() => csrfStore.set(null))
  }
  refresh()
  const timer = setInterval(refresh, CSRF_REFRESH_MS)
  const stop = tokenStore.subscribe(() => {
    csrfStore.set(null)
    refresh()
  })
  return () => {
    clearInterval(timer)
    stop()
  }
}
