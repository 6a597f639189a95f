import { Navigate } from 'react-router-dom'
import { RouteError } from '../../errors/RouteError.tsx'
import { AppLoading } from '../../layout/AppLoading.tsx'
import { lazyPage, signedInPage } from '../../layout/lazy-page.tsx'
import { NotFoundPage } from '../../layout/NotFoundPage.tsx'
import { RequireRole } from '../../layout/RequireRole.tsx'
import { launchHomePath, useLaunch } from '../../lib/session/launch.ts'
import { studentRoutes, teacherRoutes } from '../../router.tsx'
import { LaunchedLayout } from './LaunchedLayout.tsx'

export const launchedRoutes = [
  {
    Component: LaunchedLayout,
    ErrorBoundary: RouteError,
    HydrateFallback: AppLoading,
    children: [
      { path: '/', Component: LaunchHome },
      { path: '/terms', lazy: () => lazyPage(() => import('../legal/TermsPage.tsx'), 'TermsPage') },
      { path: '/privacy', lazy: () => lazyPage(() => import('../legal/PrivacyPage.tsx'), 'PrivacyPage') },
      {
        element: <RequireRole roles={['instructor']} />,
        children: [
          {
            path: '/lti/set-up',
            lazy: () => signedInPage(() => import('./set-up/SetUpPage.tsx'), 'SetUpPage'),
          },
          {
            path: '/lti/choose',
            lazy: () => signedInPage(() => import('./deep-linking/ChoosePage.tsx'), 'ChoosePage'),
          },
        ],
      },
      {
        element: <RequireRole roles={['student']} />,
        children: [
          { path: '/lti/waiting', lazy: () => signedInPage(() => import('./WaitingPage.tsx'), 'WaitingPage') },
          { path: '/lti/no-role', lazy: () => signedInPage(() => import('./NoRolePage.tsx'), 'NoRolePage') },
        ],
      },
      {
        path: '/lti/account',
        lazy: () => signedInPage(() => import('./JoinAccountPage.tsx'), 'JoinAccountPage'),
      },
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
