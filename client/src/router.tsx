import type { ComponentType } from 'react'
import { createBrowserRouter, Navigate } from 'react-router-dom'
import { MissingPage } from './errors/MissingPage.tsx'
import { RouteError } from './errors/RouteError.tsx'
import { Layout } from './layout/Layout.tsx'
import { NotFoundPage } from './layout/NotFoundPage.tsx'
import { RequireRole } from './layout/RequireRole.tsx'
import { StartingUp } from './layout/StartingUp.tsx'
import { loadPart } from './lib/load-part.ts'

const teachers = ['instructor', 'admin'] as const

/** Every address and its page. Pages are loaded when they are first opened. */
export const routes = [
  {
    Component: Layout,
    ErrorBoundary: RouteError,
    HydrateFallback: StartingUp,
    children: [
      { path: '/', lazy: () => page(() => import('./features/landing/LandingPage.tsx'), 'LandingPage') },
      { path: '/auth/login', lazy: () => page(() => import('./features/auth/LoginPage.tsx'), 'LoginPage') },
      { path: '/login', element: <Navigate to="/auth/login" replace /> },
      {
        path: '/auth/register',
        lazy: () => page(() => import('./features/auth/RegisterPage.tsx'), 'RegisterPage'),
      },
      {
        path: '/auth/forgot-password',
        lazy: () => page(() => import('./features/auth/ForgotPasswordPage.tsx'), 'ForgotPasswordPage'),
      },
      {
        path: '/auth/reset-password',
        lazy: () => page(() => import('./features/auth/ResetPasswordPage.tsx'), 'ResetPasswordPage'),
      },
      {
        path: '/auth/confirm-email',
        lazy: () => page(() => import('./features/auth/ConfirmEmailPage.tsx'), 'ConfirmEmailPage'),
      },
      {
        path: '/auth/accept-invitation',
        lazy: () => page(() => import('./features/auth/AcceptInvitationPage.tsx'), 'AcceptInvitationPage'),
      },
      { path: '/register', element: <Navigate to="/auth/register" replace /> },
      { path: '/terms', lazy: () => page(() => import('./features/legal/TermsPage.tsx'), 'TermsPage') },
      { path: '/privacy', lazy: () => page(() => import('./features/legal/PrivacyPage.tsx'), 'PrivacyPage') },
      {
        element: <RequireRole roles={teachers} />,
        children: [
          {
            path: '/instructor/profile',
            lazy: () => inside(() => import('./features/profile/ProfilePage.tsx'), 'ProfilePage'),
          },
          {
            path: '/dashboard',
            lazy: () => inside(() => import('./features/assignments/DashboardPage.tsx'), 'DashboardPage'),
          },
          {
            path: '/create-assignment',
            lazy: () =>
              inside(() => import('./features/assignments/CreateAssignmentPage.tsx'), 'CreateAssignmentPage'),
          },
          {
            path: '/courses',
            lazy: () => inside(() => import('./features/courses/CoursesPage.tsx'), 'CoursesPage'),
          },
          {
            path: '/courses/create',
            lazy: () => inside(() => import('./features/courses/CreateCoursePage.tsx'), 'CreateCoursePage'),
          },
          {
            path: '/courses/:courseId/analytics',
            lazy: () => inside(() => import('./features/analytics/AnalyticsPage.tsx'), 'AnalyticsPage'),
          },
          {
            path: '/courses/:courseId',
            lazy: () => inside(() => import('./features/courses/CoursePage.tsx'), 'CoursePage'),
          },
          {
            path: '/courses/:courseId/edit',
            lazy: () => inside(() => import('./features/courses/EditCoursePage.tsx'), 'EditCoursePage'),
          },
          {
            path: '/courses/:courseId/roster',
            lazy: () => inside(() => import('./features/roster/RosterPage.tsx'), 'RosterPage'),
          },
          {
            path: '/assignments/:assignmentId/submissions',
            lazy: () => inside(() => import('./features/submissions/SubmissionsPage.tsx'), 'SubmissionsPage'),
          },
          {
            path: '/assignments/:assignmentId/settings',
            lazy: () =>
              inside(
                () => import('./features/assignments/settings/AssignmentSettingsPage.tsx'),
                'AssignmentSettingsPage',
              ),
          },
          {
            path: '/assignments/:assignmentId/submissions/match',
            lazy: () => inside(() => import('./features/submissions/match/MatchPage.tsx'), 'MatchPage'),
          },
          {
            path: '/assignments/:assignmentId/submissions/:submissionId',
            lazy: () => inside(() => import('./features/submissions/SubmissionPage.tsx'), 'SubmissionPage'),
          },
        ],
      },
      {
        element: <RequireRole roles={['student']} />,
        children: [
          {
            path: '/student/profile',
            lazy: () => inside(() => import('./features/profile/ProfilePage.tsx'), 'ProfilePage'),
          },
          {
            path: '/student/dashboard',
            lazy: () =>
              inside(() => import('./features/students/StudentDashboardPage.tsx'), 'StudentDashboardPage'),
          },
          {
            path: '/student/courses',
            lazy: () =>
              inside(() => import('./features/students/StudentCoursesPage.tsx'), 'StudentCoursesPage'),
          },
          {
            path: '/student/join-course',
            lazy: () => inside(() => import('./features/students/JoinCoursePage.tsx'), 'JoinCoursePage'),
          },
          {
            path: '/student/grades',
            lazy: () =>
              inside(() => import('./features/students/StudentGradesPage.tsx'), 'StudentGradesPage'),
          },
          {
            path: '/student/courses/:courseId/grades',
            lazy: () =>
              inside(
                () => import('./features/students/StudentCourseGradesPage.tsx'),
                'StudentCourseGradesPage',
              ),
          },
          {
            path: '/student/assignments/:assignmentId',
            lazy: () =>
              inside(() => import('./features/students/StudentAssignmentPage.tsx'), 'StudentAssignmentPage'),
          },
          {
            path: '/student/courses/:courseId',
            lazy: () =>
              inside(() => import('./features/students/StudentCoursePage.tsx'), 'StudentCoursePage'),
          },
        ],
      },
      {
        element: <RequireRole roles={['admin']} />,
        children: [
          {
            path: '/admin/dashboard',
            lazy: () => inside(() => import('./features/admin/AdminDashboardPage.tsx'), 'AdminDashboardPage'),
          },
          {
            path: '/admin/users',
            lazy: () => inside(() => import('./features/admin/users/UsersPage.tsx'), 'UsersPage'),
          },
          {
            path: '/admin/settings',
            lazy: () => inside(() => import('./features/admin/settings/SettingsPage.tsx'), 'SettingsPage'),
          },
          {
            path: '/admin/audit',
            lazy: () => inside(() => import('./features/admin/audit/AuditPage.tsx'), 'AuditPage'),
          },
        ],
      },
      {
        path: '/test/error-boundaries',
        lazy: () =>
          inside(() => import('./features/test-pages/ErrorBoundariesPage.tsx'), 'ErrorBoundariesPage'),
      },
      {
        path: '/test/websocket',
        lazy: () => inside(() => import('./features/test-pages/WebsocketPage.tsx'), 'WebsocketPage'),
      },
      { path: '*', Component: NotFoundPage },
    ],
  },
]

/** A page behind the guard: with the styles of the components that only stand there. */
function inside<K extends string>(load: () => Promise<Record<K, ComponentType>>, name: K) {
  return page(async () => {
    const [module] = await Promise.all([load(), import('./theme/signed-in.css')])
    return module
  }, name)
}

/** A page's module, as the router wants it. */
async function page<K extends string>(load: () => Promise<Record<K, ComponentType>>, name: K) {
  const component = async () => (await loadPart(load))[name]
  try {
    return { Component: await component() }
  } catch {
    // The router would keep a failure for good, so that only loading the whole document would help.
    return { element: <MissingPage part={{ load: component }} /> }
  }
}

export const router = createBrowserRouter(routes)
