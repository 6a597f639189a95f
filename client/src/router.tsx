import { Navigate } from 'react-router-dom'
import { RouteError } from './errors/RouteError.tsx'
import { AppLoading } from './layout/AppLoading.tsx'
import { Layout } from './layout/Layout.tsx'
import { lazyPage, signedInPage } from './layout/lazy-page.tsx'
import { NotFoundPage } from './layout/NotFoundPage.tsx'
import { RequireRole } from './layout/RequireRole.tsx'

const teacherRoles = ['instructor', 'admin'] as const

/** The teacher’s, in a launch from an LMS too. */
export const teacherRoutes = {
  element: <RequireRole roles={teacherRoles} />,
  children: [
    {
      path: '/instructor/profile',
      lazy: () => signedInPage(() => import('./features/profile/ProfilePage.tsx'), 'ProfilePage'),
    },
    {
      path: '/dashboard',
      lazy: () => signedInPage(() => import('./features/assignments/DashboardPage.tsx'), 'DashboardPage'),
    },
    {
      path: '/create-assignment',
      lazy: () => signedInPage(() => import('./features/assignments/CreateAssignmentPage.tsx'), 'CreateAssignmentPage'),
    },
    {
      path: '/courses',
      lazy: () => signedInPage(() => import('./features/courses/CoursesPage.tsx'), 'CoursesPage'),
    },
    {
      path: '/courses/create',
      lazy: () => signedInPage(() => import('./features/courses/CreateCoursePage.tsx'), 'CreateCoursePage'),
    },
    {
      path: '/courses/:courseId/analytics',
      lazy: () => signedInPage(() => import('./features/analytics/AnalyticsPage.tsx'), 'AnalyticsPage'),
    },
    {
      path: '/courses/:courseId',
      lazy: () => signedInPage(() => import('./features/courses/CoursePage.tsx'), 'CoursePage'),
    },
    {
      path: '/courses/:courseId/edit',
      lazy: () => signedInPage(() => import('./features/courses/EditCoursePage.tsx'), 'EditCoursePage'),
    },
    {
      path: '/courses/:courseId/model',
      lazy: () => signedInPage(() => import('./features/llm/CourseLlmPage.tsx'), 'CourseLlmPage'),
    },
    {
      path: '/courses/:courseId/roster',
      lazy: () => signedInPage(() => import('./features/roster/RosterPage.tsx'), 'RosterPage'),
    },
    {
      path: '/assignments/:assignmentId/submissions',
      lazy: () => signedInPage(() => import('./features/submissions/SubmissionsPage.tsx'), 'SubmissionsPage'),
    },
    {
      path: '/assignments/:assignmentId/rubric',
      lazy: () => signedInPage(() => import('./features/rubrics/RubricPage.tsx'), 'RubricPage'),
    },
    {
      path: '/assignments/:assignmentId/questions',
      lazy: () => signedInPage(() => import('./features/questions/QuestionsPage.tsx'), 'QuestionsPage'),
    },
    {
      path: '/assignments/:assignmentId/questions/:questionId',
      lazy: () => signedInPage(() => import('./features/questions/grading/QuestionPage.tsx'), 'QuestionPage'),
    },
    {
      path: '/assignments/:assignmentId/accuracy',
      lazy: () => signedInPage(() => import('./features/accuracy/AccuracyPage.tsx'), 'AccuracyPage'),
    },
    {
      path: '/assignments/:assignmentId/similarity',
      lazy: () => signedInPage(() => import('./features/similarity/SimilarityPage.tsx'), 'SimilarityPage'),
    },
    {
      path: '/assignments/:assignmentId/class-scans',
      lazy: () => signedInPage(() => import('./features/class-scans/ClassScansPage.tsx'), 'ClassScansPage'),
    },
    {
      path: '/assignments/:assignmentId/class-scans/:scanId',
      lazy: () => signedInPage(() => import('./features/class-scans/ClassScanPage.tsx'), 'ClassScanPage'),
    },
    {
      path: '/assignments/:assignmentId/photos',
      lazy: () => signedInPage(() => import('./features/photos/PaperPhotosPage.tsx'), 'PaperPhotosPage'),
    },
    {
      path: '/assignments/:assignmentId/regrades',
      lazy: () => signedInPage(() => import('./features/regrades/RegradesPage.tsx'), 'RegradesPage'),
    },
    {
      path: '/assignments/:assignmentId/settings',
      lazy: () =>
        signedInPage(
          () => import('./features/assignments/settings/AssignmentSettingsPage.tsx'),
          'AssignmentSettingsPage',
        ),
    },
    {
      path: '/assignments/:assignmentId/submissions/match',
      lazy: () => signedInPage(() => import('./features/submissions/match/MatchPage.tsx'), 'MatchPage'),
    },
    {
      path: '/assignments/:assignmentId/submissions/:submissionId',
      lazy: () => signedInPage(() => import('./features/submissions/SubmissionPage.tsx'), 'SubmissionPage'),
    },
  ],
}

/** The student’s, in a launch from an LMS too. */
export const studentRoutes = {
  element: <RequireRole roles={['student']} />,
  children: [
    {
      path: '/student/profile',
      lazy: () => signedInPage(() => import('./features/profile/ProfilePage.tsx'), 'ProfilePage'),
    },
    {
      path: '/student/dashboard',
      lazy: () =>
        signedInPage(() => import('./features/students/dashboard/StudentDashboardPage.tsx'), 'StudentDashboardPage'),
    },
    {
      path: '/student/courses',
      lazy: () =>
        signedInPage(() => import('./features/students/courses/StudentCoursesPage.tsx'), 'StudentCoursesPage'),
    },
    {
      path: '/student/join-course',
      lazy: () => signedInPage(() => import('./features/students/courses/JoinCoursePage.tsx'), 'JoinCoursePage'),
    },
    {
      path: '/student/grades',
      lazy: () => signedInPage(() => import('./features/students/grades/StudentGradesPage.tsx'), 'StudentGradesPage'),
    },
    {
      path: '/student/courses/:courseId/grades',
      lazy: () =>
        signedInPage(() => import('./features/students/grades/StudentCourseGradesPage.tsx'), 'StudentCourseGradesPage'),
    },
    {
      path: '/student/assignments/:assignmentId',
      lazy: () =>
        signedInPage(() => import('./features/students/assignment/StudentAssignmentPage.tsx'), 'StudentAssignmentPage'),
    },
    {
      path: '/student/courses/:courseId',
      lazy: () => signedInPage(() => import('./features/students/courses/StudentCoursePage.tsx'), 'StudentCoursePage'),
    },
  ],
}

/** Pages are loaded when they are first opened; a launch’s own are in `features/lti/`. */
export const routes = [
  {
    Component: Layout,
    ErrorBoundary: RouteError,
    HydrateFallback: AppLoading,
    children: [
      { path: '/', lazy: () => lazyPage(() => import('./features/landing/LandingPage.tsx'), 'LandingPage') },
      { path: '/auth/login', lazy: () => lazyPage(() => import('./features/auth/LoginPage.tsx'), 'LoginPage') },
      { path: '/login', element: <Navigate to="/auth/login" replace /> },
      {
        path: '/auth/register',
        lazy: () => lazyPage(() => import('./features/auth/RegisterPage.tsx'), 'RegisterPage'),
      },
      {
        path: '/auth/forgot-password',
        lazy: () => lazyPage(() => import('./features/auth/ForgotPasswordPage.tsx'), 'ForgotPasswordPage'),
      },
      {
        path: '/auth/reset-password',
        lazy: () => lazyPage(() => import('./features/auth/ResetPasswordPage.tsx'), 'ResetPasswordPage'),
      },
      {
        path: '/auth/confirm-email',
        lazy: () => lazyPage(() => import('./features/auth/ConfirmEmailPage.tsx'), 'ConfirmEmailPage'),
      },
      {
        path: '/auth/accept-invitation',
        lazy: () => lazyPage(() => import('./features/auth/AcceptInvitationPage.tsx'), 'AcceptInvitationPage'),
      },
      {
        path: '/auth/account-deleted',
        lazy: () => lazyPage(() => import('./features/personal-data/AccountDeletedPage.tsx'), 'AccountDeletedPage'),
      },
      { path: '/register', element: <Navigate to="/auth/register" replace /> },
      { path: '/terms', lazy: () => lazyPage(() => import('./features/legal/TermsPage.tsx'), 'TermsPage') },
      { path: '/privacy', lazy: () => lazyPage(() => import('./features/legal/PrivacyPage.tsx'), 'PrivacyPage') },
      teacherRoutes,
      studentRoutes,
      {
        element: <RequireRole roles={['admin']} />,
        children: [
          {
            path: '/admin/dashboard',
            lazy: () => signedInPage(() => import('./features/admin/AdminDashboardPage.tsx'), 'AdminDashboardPage'),
          },
          {
            path: '/admin/users',
            lazy: () => signedInPage(() => import('./features/admin/users/UsersPage.tsx'), 'UsersPage'),
          },
          {
            path: '/admin/settings',
            lazy: () => signedInPage(() => import('./features/admin/settings/SettingsPage.tsx'), 'SettingsPage'),
          },
          {
            path: '/admin/settings/model',
            lazy: () => signedInPage(() => import('./features/llm/SystemLlmPage.tsx'), 'SystemLlmPage'),
          },
          {
            path: '/admin/lms',
            lazy: () => signedInPage(() => import('./features/admin/lms/LmsListPage.tsx'), 'LmsListPage'),
          },
          {
            path: '/admin/lms/new',
            lazy: () => signedInPage(() => import('./features/admin/lms/RegisterLmsPage.tsx'), 'RegisterLmsPage'),
          },
          {
            path: '/admin/lms/:platformId',
            lazy: () => signedInPage(() => import('./features/admin/lms/LmsPage.tsx'), 'LmsPage'),
          },
          {
            path: '/admin/audit',
            lazy: () => signedInPage(() => import('./features/admin/audit/AuditPage.tsx'), 'AuditPage'),
          },
        ],
      },
      {
        path: '/test/error-boundaries',
        lazy: () => signedInPage(() => import('./features/test-pages/ErrorBoundariesPage.tsx'), 'ErrorBoundariesPage'),
      },
      {
        path: '/test/websocket',
        lazy: () => signedInPage(() => import('./features/test-pages/WebsocketPage.tsx'), 'WebsocketPage'),
      },
      { path: '*', Component: NotFoundPage },
    ],
  },
]
