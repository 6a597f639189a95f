import { Navigate } from 'react-router-dom'
import { RouteError } from './errors/RouteError.tsx'
import { Layout } from './layout/Layout.tsx'
import { inside, page } from './layout/lazy-page.tsx'
import { NotFoundPage } from './layout/NotFoundPage.tsx'
import { RequireRole } from './layout/RequireRole.tsx'
import { StartingUp } from './layout/StartingUp.tsx'

const teachers = ['instructor', 'admin'] as const

/** The teacher’s, in a launch from an LMS too. */
export const teacherPages = {
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
      path: '/courses/:courseId/model',
      lazy: () => inside(() => import('./features/model/CourseModelPage.tsx'), 'CourseModelPage'),
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
      path: '/assignments/:assignmentId/rubric',
      lazy: () => inside(() => import('./features/rubrics/RubricPage.tsx'), 'RubricPage'),
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
}

/** The student’s, in a launch from an LMS too. */
export const studentPages = {
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
      lazy: () => inside(() => import('./features/students/StudentCoursesPage.tsx'), 'StudentCoursesPage'),
    },
    {
      path: '/student/join-course',
      lazy: () => inside(() => import('./features/students/JoinCoursePage.tsx'), 'JoinCoursePage'),
    },
    {
      path: '/student/grades',
      lazy: () => inside(() => import('./features/students/StudentGradesPage.tsx'), 'StudentGradesPage'),
    },
    {
      path: '/student/courses/:courseId/grades',
      lazy: () =>
        inside(() => import('./features/students/StudentCourseGradesPage.tsx'), 'StudentCourseGradesPage'),
    },
    {
      path: '/student/assignments/:assignmentId',
      lazy: () =>
        inside(() => import('./features/students/StudentAssignmentPage.tsx'), 'StudentAssignmentPage'),
    },
    {
      path: '/student/courses/:courseId',
      lazy: () => inside(() => import('./features/students/StudentCoursePage.tsx'), 'StudentCoursePage'),
    },
  ],
}

/** Every address of Assay on its own. Pages are loaded when they are first opened; a launch’s own are in `features/lti/`. */
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
      teacherPages,
      studentPages,
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
            path: '/admin/settings/model',
            lazy: () => inside(() => import('./features/model/SystemModelPage.tsx'), 'SystemModelPage'),
          },
          {
            path: '/admin/lms',
            lazy: () => inside(() => import('./features/admin/lms/LmsListPage.tsx'), 'LmsListPage'),
          },
          {
            path: '/admin/lms/new',
            lazy: () => inside(() => import('./features/admin/lms/RegisterLmsPage.tsx'), 'RegisterLmsPage'),
          },
          {
            path: '/admin/lms/:platformId',
            lazy: () => inside(() => import('./features/admin/lms/LmsPage.tsx'), 'LmsPage'),
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
