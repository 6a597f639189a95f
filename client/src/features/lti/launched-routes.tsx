import { Navigate } from 'react-router-dom'
import { RouteError } from '../../errors/RouteError.tsx'
import { AppLoading } from '../../layout/AppLoading.tsx'
import { NotFoundPage } from '../../layout/NotFoundPage.tsx'
import { page, publicPage } from '../../layout/page-route.tsx'
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
      publicPage('/terms', () => import('../legal/TermsPage.tsx'), 'TermsPage'),
      publicPage('/privacy', () => import('../legal/PrivacyPage.tsx'), 'PrivacyPage'),
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
