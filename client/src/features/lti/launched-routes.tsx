import { Navigate } from 'react-router-dom'
import { RouteError } from '../../errors/RouteError.tsx'
import { inside, page } from '../../layout/lazy-page.tsx'
import { NotFoundPage } from '../../layout/NotFoundPage.tsx'
import { RequireRole } from '../../layout/RequireRole.tsx'
import { StartingUp } from '../../layout/StartingUp.tsx'
import { homeOfLaunch, useLaunch } from '../../lib/launch.ts'
import { studentPages, teacherPages } from '../../router.tsx'
import { LaunchedLayout } from './LaunchedLayout.tsx'

/** Every address of a launch, below `/l/{launch}`. */
export const launchedRoutes = [
  {
    Component: LaunchedLayout,
    ErrorBoundary: RouteError,
    HydrateFallback: StartingUp,
    children: [
      { path: '/', Component: LaunchHome },
      { path: '/terms', lazy: () => page(() => import('../legal/TermsPage.tsx'), 'TermsPage') },
      { path: '/privacy', lazy: () => page(() => import('../legal/PrivacyPage.tsx'), 'PrivacyPage') },
      {
        element: <RequireRole roles={['instructor']} />,
        children: [
          {
            path: '/lti/set-up',
            lazy: () => inside(() => import('./set-up/SetUpPage.tsx'), 'SetUpPage'),
          },
          { path: '/lti/choose', lazy: () => inside(() => import('./choose/ChoosePage.tsx'), 'ChoosePage') },
        ],
      },
      {
        element: <RequireRole roles={['student']} />,
        children: [
          { path: '/lti/waiting', lazy: () => inside(() => import('./WaitingPage.tsx'), 'WaitingPage') },
          { path: '/lti/no-role', lazy: () => inside(() => import('./NoRolePage.tsx'), 'NoRolePage') },
        ],
      },
      {
        path: '/lti/account',
        lazy: () => inside(() => import('./JoinAccountPage.tsx'), 'JoinAccountPage'),
      },
      teacherPages,
      studentPages,
      { path: '*', Component: NotFoundPage },
    ],
  },
]

/** Where the launch goes, for whoever lost their way in it. */
function LaunchHome() {
  const launch = useLaunch()
  return launch && <Navigate to={homeOfLaunch(launch)} replace />
}
