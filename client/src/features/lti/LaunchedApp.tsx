import '../../theme/signed-in.css'
import { Button } from '@mantine/core'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { createBrowserRouter, Navigate, RouterProvider } from 'react-router-dom'
import { EmptyState, ErrorIllustration, NotFoundIllustration } from '../../components/feedback/EmptyState.tsx'
import { usePageTitle } from '../../components/layout/usePageTitle.ts'
import { RouteError } from '../../errors/RouteError.tsx'
import { FirstHeading } from '../../layout/FirstHeading.tsx'
import { NotFoundPage } from '../../layout/NotFoundPage.tsx'
import { page, publicPage } from '../../layout/page-route.tsx'
import { RequireRole } from '../../layout/RequireRole.tsx'
import type { ApiError } from '../../lib/api/api-error.ts'
import { tokenStore } from '../../lib/session/browser-store.ts'
import { launchHomePath, useLaunch } from '../../lib/session/launch.ts'
import { launchBasePath } from '../../lib/session/launch-path.ts'
import { SessionProvider } from '../../lib/session/session.tsx'
import { studentRoutes, teacherRoutes } from '../../router.tsx'
import { LaunchedLayout } from './LaunchedLayout.tsx'
import { type LaunchSession, launchSession } from './launch-session.ts'
import { lmsReturnUrl } from './lms-return-url.ts'

export const beginLaunch = (): void => launchSession.start()

/** Draws no page without a session, so none leads to the sign-in page. */
export function LaunchedApp({ entry = launchSession }: { entry?: LaunchSession }) {
  const state = useSyncExternalStore(entry.subscribe, entry.get)
  const token = useSyncExternalStore(tokenStore.subscribe, tokenStore.get)
  const ended = state.at === 'open' && !token
  useEffect(() => entry.start(), [entry])
  useEffect(() => {
    if (ended) void entry.askWhyEnded()
  }, [entry, ended])
  if (state.at === 'entering' || ended) return <FirstHeading />
  if (state.at !== 'open') return <RelaunchPage why={state.at} error={state.error} tryAgain={entry.tryAgain} />
  return (
    <SessionProvider>
      <LaunchedPages />
    </SessionProvider>
  )
}

function LaunchedPages() {
  // Not earlier: it reads the address, which until now was the way in.
  const [router] = useState(() => createBrowserRouter(launchedRoutes, { basename: launchBasePath }))
  return <RouterProvider router={router} />
}

interface Props {
  why: 'refused' | 'unreachable' | 'ended' | 'signed_out'
  error: ApiError | null
  tryAgain?: () => void
}

/** Only the LMS can open a launch, so this replaces a sign-in form. */
function RelaunchPage({ why, error, tryAgain }: Props) {
  const launch = useLaunch()
  // A refused launch is known only from the server's error.
  const lms = launch?.platform.name ?? error?.reply.lms ?? 'your LMS'
  const back = lmsReturnUrl(launch)
  const reachable = why !== 'unreachable'
  // The server's other messages say enough, such as that the link was used already.
  const elsewhere = error === null || error.code === 'auth_required'
  const opened = elsewhere ? `Open this again from ${lms}` : 'Assay could not be opened'
  const title = why === 'signed_out' ? 'You have signed out' : opened
  usePageTitle(title)
  return (
    <main>
      <EmptyState
        titleOrder={1}
        illustration={reachable ? <NotFoundIllustration /> : <ErrorIllustration />}
        title={title}
        action={
          <>
            {!reachable && <Button onClick={tryAgain}>Try again</Button>}
            {back && (
              <Button component="a" href={back} target="_top" variant={reachable ? 'filled' : 'default'}>
                Back to {lms}
              </Button>
            )}
          </>
        }
      >
        {error?.message ??
          `${why === 'ended' ? 'Your session has expired. Your' : 'Your'} saved work is safe. ${
            why === 'ended' ? 'Go' : 'To come back, go'
          } to your course in ${lms} and open Assay there.`}
      </EmptyState>
    </main>
  )
}

const launchedRoutes = [
  {
    Component: LaunchedLayout,
    ErrorBoundary: RouteError,
    HydrateFallback: FirstHeading,
    children: [
      { path: '/', Component: LaunchHome },
      publicPage('/terms', () => import('../privacy/legal/TermsPage.tsx'), 'TermsPage'),
      publicPage('/privacy', () => import('../privacy/legal/PrivacyPage.tsx'), 'PrivacyPage'),
      {
        element: <RequireRole roles={['instructor']} />,
        children: [
          page('/lti/set-up', () => import('./set-up/SetUpPage.tsx'), 'SetUpPage'),
          page('/lti/choose', () => import('./deep-linking/ChoosePage.tsx'), 'ChoosePage'),
        ],
      },
      {
        element: <RequireRole roles={['student']} />,
        children: [
          page('/lti/waiting', () => import('./LaunchPages.tsx'), 'WaitingPage'),
          page('/lti/no-role', () => import('./LaunchPages.tsx'), 'NoRolePage'),
        ],
      },
      page('/lti/account', () => import('./LaunchPages.tsx'), 'JoinAccountPage'),
      teacherRoutes,
      studentRoutes,
      { path: '*', Component: NotFoundPage },
    ],
  },
]

function LaunchHome() {
  const launch = useLaunch()
  return launch && <Navigate to={launchHomePath(launch)} replace />
}
