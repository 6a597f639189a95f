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

/** Lets those roles in; sends others to where they start, and the unknown to the sign-in page and back. */
export function RequireRole({ roles }: { roles: readonly Role[] }) {
  const session = useSession()
  const { pathname, search } = useLocation()
  if (session.status === 'loading') return <AppLoading />
  // Somebody is signed in, but the server cannot be asked who.
  if (session.status === 'unreachable')
    return <ErrorDetails error={session.error} retry={session.retry} variant="page" />
  if (session.status === 'signedOut') {
    // A launch has no sign-in page. The frame of its pages says that it has ended.
    if (launchId !== null) return null
    if (session.deleted) return <Navigate to="/auth/account-deleted" replace />
    const back = session.voluntary ? '' : `?redirect=${encodeURIComponent(pathname + search)}`
    return <Navigate to={`/auth/login${back}`} replace />
  }
  if (!roles.includes(session.user.role))
    return <Navigate to={launchId === null ? homePathOf(session.user.role) : '/'} replace />
  return (
    // One person's data never greets the next: another user, another cache.
    <SWRConfig key={session.user.id} value={freshSwrCache}>
      <OwnData />
    </SWRConfig>
  )
}

/** Forgets a person's data as they leave: a reply that comes later would throw, since the cache is closed by then. */
function OwnData() {
  const { cache } = useSWRConfig()
  // Others end also where a tree is hidden for a while, or tried twice by StrictMode.
  useInsertionEffect(
    () => () => {
      for (const key of [...cache.keys()]) cache.delete(key)
    },
    [cache],
  )
  return <Outlet />
}
