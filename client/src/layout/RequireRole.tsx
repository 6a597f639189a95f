import type { Role } from '@assay/shared/users.ts'
import { useInsertionEffect } from 'react'
import { Navigate, Outlet, useLocation } from 'react-router-dom'
import { SWRConfig, useSWRConfig } from 'swr'
import { ErrorDetails } from '../errors/ErrorDetails.tsx'
import { swrOptions } from '../lib/api/swr-options.ts'
import { launchId } from '../lib/session/launch-path.ts'
import { homePathOf } from '../lib/session/redirect-paths.ts'
import { useSession } from '../lib/session/session.tsx'
import { AppLoading } from './AppLoading.tsx'

const freshSwrCache = { ...swrOptions, provider: () => new Map() }

export function RequireRole({ roles }: { roles: readonly Role[] }) {
  const session = useSession()
  const { pathname, search } = useLocation()
  if (session.status === 'loading') return <AppLoading />
  // Somebody is signed in, but the server cannot be asked who.
  if (session.status === 'unreachable')
    return <ErrorDetails error={session.error} retry={session.retry} variant="page" />
  if (session.status === 'signedOut') {
    // A launch has no sign-in page; its frame says that the session has ended.
    if (launchId !== null) return null
    if (session.deleted) return <Navigate to="/auth/account-deleted" replace />
    const back = session.voluntary ? '' : `?redirect=${encodeURIComponent(pathname + search)}`
    return <Navigate to={`/auth/login${back}`} replace />
  }
  if (!roles.includes(session.user.role))
    return <Navigate to={launchId === null ? homePathOf(session.user.role) : '/'} replace />
  return (
    // A cache for each user, so that nobody sees another's data.
    <SWRConfig key={session.user.id} value={freshSwrCache}>
      <OwnData />
    </SWRConfig>
  )
}

/** Clears a person's data as they leave; a later reply would write to a closed cache. */
function OwnData() {
  const { cache } = useSWRConfig()
  // Other effects also end where a tree is hidden, or mounted twice by StrictMode.
  useInsertionEffect(
    () => () => {
      for (const key of [...cache.keys()]) cache.delete(key)
    },
    [cache],
  )
  return <Outlet />
}
