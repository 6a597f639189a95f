import { getCsrfToken } from '@assay/shared/auth.ts'
import { CSRF_REFRESH_MS } from '@assay/shared/rules/limits.ts'
import { csrfStore, tokenStore } from '../session/browser-store.ts'
import { fetchWithRetry, plainHeaders, readReply, urlFor } from './http-client.ts'

/** A token from before this page was loaded is none of these. */
let fetched: { token: string; at: number } | null = null
/** Tokens live an hour and are renewed every half: one this old will soon have missed a renewal. */
const STALE_MS = 25 * 60_000

/** Whether the stored token may be refused, as after the machine slept. */
export const isCsrfTokenStale = () =>
  fetched === null || fetched.token !== csrfStore.get() || Date.now() - fetched.at > STALE_MS

let pendingFetch: { token: string | null; promise: Promise<string> } | null = null

/** Concurrent callers share one request. */
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

/** Not through `callApi`, which asks here for tokens. */
async function requestCsrfToken() {
  const reply = await fetchWithRetry(getCsrfToken, urlFor(getCsrfToken), {}, () => plainHeaders(getCsrfToken))
  return readReply(getCsrfToken, reply)
}

export async function currentCsrfToken(): Promise<string> {
  return csrfStore.get() ?? (await fetchCsrfToken())
}

/** Every 30 minutes, and when somebody signs out; at sign-in it comes with the profile. */
export function startCsrfRefresh(): () => void {
  const refresh = () => {
    // A failure shows at the change that needs the token.
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
