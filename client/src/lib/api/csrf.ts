import { getCsrfToken } from '@assay/shared/auth.ts'
import { CSRF_REFRESH_MS } from '@assay/shared/rules/limits.ts'
import { csrfStore, tokenStore } from '../session/browser-store.ts'
import { fetchWithRetry, plainHeaders, readReply, urlFor } from './http-client.ts'

/** The last one this page fetched, and when; one from before it was loaded is none of these. */
let fetched: { token: string; at: number } | null = null
/** They live an hour and are renewed every half; one this old has missed a renewal soon. */
const STALE_MS = 25 * 60_000

/** Whether the stored token may be refused: after the machine slept, say. */
export const isCsrfTokenStale = () =>
  fetched === null || fetched.token !== csrfStore.get() || Date.now() - fetched.at > STALE_MS

let pendingFetch: { token: string | null; promise: Promise<string> } | null = null

/** Asks for a new CSRF token for the session there is now; several askers share one call. */
export function fetchCsrfToken(): Promise<string> {
  const token = tokenStore.get()
  if (pendingFetch?.token === token) return pendingFetch.promise
  const promise = requestCsrfToken()
    .then(({ csrf_token }) => {
      storeCsrfToken(csrf_token)
      return csrf_token
    })
    .finally(() => {
      if (pendingFetch?.promise === promise) pendingFetch = null
    })
  pendingFetch = { token, promise }
  return promise
}

export function storeCsrfToken(token: string): void {
  csrfStore.set(token)
  fetched = { token, at: Date.now() }
}

/** Not through `callApi`, which asks here for the tokens of its calls. */
async function requestCsrfToken() {
  const reply = await fetchWithRetry(getCsrfToken, urlFor(getCsrfToken), {}, () => plainHeaders(getCsrfToken))
  return readReply(getCsrfToken, reply)
}

export async function currentCsrfToken(): Promise<string> {
  return csrfStore.get() ?? (await fetchCsrfToken())
}

/** Renews the token every 30 minutes, and when somebody signs out; at sign-in it comes with the profile. */
export function startCsrfRefresh(): () => void {
  const refresh = () => {
    // A failure here shows where it matters: at the change that needed the token.
    fetchCsrfToken().catch(() => csrfStore.set(null))
  }
  const refreshUnlessSignedIn = () => {
    if (tokenStore.get() === null) refresh()
  }
  refreshUnlessSignedIn()
  const timer = setInterval(refresh, CSRF_REFRESH_MS)
  const stop = tokenStore.subscribe(() => {
    csrfStore.set(null)
    refreshUnlessSignedIn()
  })
  return () => {
    clearInterval(timer)
    stop()
  }
}
