import './theme/styles.css'
import { lazy, StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter, RouterProvider } from 'react-router-dom'
import { SWRConfig } from 'swr'
import { AppErrorBoundary } from './errors/AppErrorBoundary.tsx'
import { installGlobalErrorHandlers } from './errors/global-errors.ts'
import { FirstHeading } from './layout/FirstHeading.tsx'
import { ToastArea } from './layout/ToastArea.tsx'
import { swrOptions } from './lib/api/swr-options.ts'
import { launchId } from './lib/session/launch-path.ts'
import { SessionProvider } from './lib/session/session.tsx'
import { routes } from './router.tsx'
import { ThemeRoot } from './theme/ThemeRoot.tsx'

installGlobalErrorHandlers()

const loadLaunchedApp = async () => {
  const { LaunchedApp, beginLaunch } = await import('./features/lti/LaunchedApp.tsx')
  beginLaunch()
  return { default: LaunchedApp }
}
const launchedApp = launchId === null ? null : loadLaunchedApp()
launchedApp?.catch(() => undefined)
const LaunchedApp = lazy(() => launchedApp ?? loadLaunchedApp())

function app() {
  if (launchId !== null)
    return (
      <Suspense fallback={<FirstHeading />}>
        <LaunchedApp />
      </Suspense>
    )
  return (
    <SessionProvider>
      <RouterProvider router={createBrowserRouter(routes)} />
    </SessionProvider>
  )
}

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <ThemeRoot>
        <ToastArea />
        <AppErrorBoundary>
          <SWRConfig value={swrOptions}>{app()}</SWRConfig>
        </AppErrorBoundary>
      </ThemeRoot>
    </StrictMode>,
  )
}
