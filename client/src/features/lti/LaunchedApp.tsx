import '../../theme/signed-in.css'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { createBrowserRouter, RouterProvider } from 'react-router-dom'
import { AppLoading } from '../../layout/AppLoading.tsx'
import { tokenStore } from '../../lib/session/browser-store.ts'
import { launchBasePath } from '../../lib/session/launch-path.ts'
import { SessionProvider } from '../../lib/session/session.tsx'
import { type LaunchSession, launchSession } from './launch-session.ts'
import { launchedRoutes } from './launched-routes.tsx'
import { RelaunchPage } from './RelaunchPage.tsx'

/** Opens this document's launch, before anything is drawn. */
export const beginLaunch = (): void => launchSession.start()

/** Assay as an LMS opens it. No page of it is drawn without a session, so none leads to the sign-in page. */
export function LaunchedApp({ entry = launchSession }: { entry?: LaunchSession }) {
  const state = useSyncExternalStore(entry.subscribe, entry.get)
  const token = useSyncExternalStore(tokenStore.subscribe, tokenStore.get)
  const ended = state.at === 'open' && !token
  useEffect(() => entry.start(), [entry])
  useEffect(() => {
    if (ended) void entry.askWhyEnded()
  }, [entry, ended])
  if (state.at === 'entering' || ended) return <AppLoading>Opening Assay…</AppLoading>
  if (state.at !== 'open') return <RelaunchPage why={state.at} error={state.error} tryAgain={entry.tryAgain} />
  return (
    <SessionProvider>
      <LaunchedPages />
    </SessionProvider>
  )
}

function LaunchedPages() {
  // Made now and not before: it reads the address, which until now was the one on the way in.
  const [router] = useState(() => createBrowserRouter(launchedRoutes, { basename: launchBasePath }))
  return <RouterProvider router={router} />
}
