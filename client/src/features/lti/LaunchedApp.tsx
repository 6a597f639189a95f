import '../../theme/signed-in.css'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { createBrowserRouter, RouterProvider } from 'react-router-dom'
import { StartingUp } from '../../layout/StartingUp.tsx'
import { launchBase } from '../../lib/launch-address.ts'
import { SessionProvider } from '../../lib/session.tsx'
import { tokenStore } from '../../lib/stored.ts'
import { type LaunchEntry, ownEntry } from './launch-entry.ts'
import { launchedRoutes } from './launched-routes.tsx'
import { RelaunchPage } from './RelaunchPage.tsx'

/** Assay as an LMS opens it. No page of it is drawn without a session, so none leads to the sign-in page. */
export function LaunchedApp({ entry = ownEntry }: { entry?: LaunchEntry }) {
  const state = useSyncExternalStore(entry.subscribe, entry.get)
  const token = useSyncExternalStore(tokenStore.subscribe, tokenStore.get)
  useEffect(() => entry.begin(), [entry])
  if (state.at === 'entering') return <StartingUp>Opening Assay…</StartingUp>
  if (state.at !== 'open')
    return <RelaunchPage why={state.at} error={state.error} tryAgain={entry.tryAgain} />
  if (!token) return <RelaunchPage why="ended" />
  return (
    <SessionProvider>
      <LaunchedPages />
    </SessionProvider>
  )
}

function LaunchedPages() {
  // Made now and not before: it reads the address, which until now was the one on the way in.
  const [router] = useState(() => createBrowserRouter(launchedRoutes, { basename: launchBase }))
  return <RouterProvider router={router} />
}
