import { Navigate } from 'react-router-dom'
import { RouteError } from './errors/RouteError.tsx'
import { AppLoading } from './layout/AppLoading.tsx'
import { Layout } from './layout/Layout.tsx'
import { NotFoundPage } from './layout/NotFoundPage.tsx'
import { page, publicPage } from './layout/page-route.tsx'
import { RequireRole } from './layout/RequireRole.tsx'

const teacherRoles = ['instructor', 'admin'] as const

export const teacherRoutes = {
  element: <RequireRole roles={teacherRoles} />,
  children: [
    page('/instructor/profile', () => import('./features/users/profile/ProfilePage.tsx'), 'ProfilePage'),
    page('/dashboard', () => import('./features/assignments/DashboardPage.tsx'), 'DashboardPage'),
    page('/create-assignment', () => import('./features/assignments/CreateAssignmentPage.tsx'), 'CreateAssignmentPage'),
    page('/courses', () => import('./features/courses/CoursesPage.tsx'), 'CoursesPage'),
    page('/courses/create', () => import('./features/courses/CreateCoursePage.tsx'), 'CreateCoursePage'),
    page('/courses/:courseId/analytics', () => import('./features/analytics/AnalyticsPage.tsx'), 'AnalyticsPage'),
    page('/courses/:courseId/gradebook', () => import('./features/gradebook/GradebookPage.tsx'), 'GradebookPage'),
    page('/courses/:courseId', () => import('./features/courses/CoursePage.tsx'), 'CoursePage'),
    page('/courses/:courseId/edit', () => import('./features/courses/EditCoursePage.tsx'), 'EditCoursePage'),
    page('/courses/:courseId/model', () => import('./features/courses/CourseLlmPage.tsx'), 'CourseLlmPage'),
    page('/courses/:courseId/roster', () => import('./features/roster/RosterPage.tsx'), 'RosterPage'),
    page(
      '/assignments/:assignmentId/submissions',
      () => import('./features/submissions/SubmissionsPage.tsx'),
      'SubmissionsPage',
    ),
    page('/assignments/:assignmentId/rubric', () => import('./features/rubrics/RubricPage.tsx'), 'RubricPage'),
    page(
      '/assignments/:assignmentId/questions',
      () => import('./features/questions/QuestionsPage.tsx'),
      'QuestionsPage',
    ),
    page(
      '/assignments/:assignmentId/questions/:questionId',
      () => import('./features/questions/grading/QuestionPage.tsx'),
      'QuestionPage',
    ),
    page('/assignments/:assignmentId/accuracy', () => import('./features/accuracy/AccuracyPage.tsx'), 'AccuracyPage'),
    page(
      '/assignments/:assignmentId/similarity',
      () => import('./features/similarity/SimilarityPage.tsx'),
      'SimilarityPage',
    ),
    page(
      '/assignments/:assignmentId/class-scans',
      () => import('./features/intake/class-scans/ClassScansPage.tsx'),
      'ClassScansPage',
    ),
    page(
      '/assignments/:assignmentId/class-scans/:scanId',
      () => import('./features/intake/class-scans/ClassScanPage.tsx'),
      'ClassScanPage',
    ),
    page(
      '/assignments/:assignmentId/photos',
      () => import('./features/intake/photos/PaperPhotosPage.tsx'),
      'PaperPhotosPage',
    ),
    page('/assignments/:assignmentId/groups', () => import('./features/groups/GroupsPage.tsx'), 'GroupsPage'),
    page('/assignments/:assignmentId/regrades', () => import('./features/regrades/RegradesPage.tsx'), 'RegradesPage'),
    page(
      '/assignments/:assignmentId/settings',
      () => import('./features/assignments/settings/AssignmentSettingsPage.tsx'),
      'AssignmentSettingsPage',
    ),
    page(
      '/assignments/:assignmentId/submissions/match',
      () => import('./features/submissions/match/MatchPage.tsx'),
      'MatchPage',
    ),
    page(
      '/assignments/:assignmentId/submissions/:submissionId',
      () => import('./features/submissions/SubmissionPage.tsx'),
      'SubmissionPage',
    ),
  ],
}

export const studentRoutes = {
  element: <RequireRole roles={['student']} />,
  children: [
    page('/student/profile', () => import('./features/users/profile/ProfilePage.tsx'), 'ProfilePage'),
    page(
      '/student/dashboard',
      () => import('./features/students/dashboard/StudentDashboardPage.tsx'),
      'StudentDashboardPage',
    ),
    page('/student/courses', () => import('./features/students/courses/StudentCoursesPage.tsx'), 'StudentCoursesPage'),
    page('/student/join-course', () => import('./features/students/courses/JoinCoursePage.tsx'), 'JoinCoursePage'),
    page('/student/grades', () => import('./features/students/grades/StudentGradesPage.tsx'), 'StudentGradesPage'),
    page(
      '/student/courses/:courseId/grades',
      () => import('./features/students/grades/StudentCourseGradesPage.tsx'),
      'StudentCourseGradesPage',
    ),
    page(
      '/student/assignments/:assignmentId',
      () => import('./features/students/assignment/StudentAssignmentPage.tsx'),
      'StudentAssignmentPage',
    ),
    page(
      '/student/courses/:courseId',
      () => import('./features/students/courses/StudentCoursePage.tsx'),
      'StudentCoursePage',
    ),
  ],
}

/** A launch’s own pages are in `features/lti/`. */
export const routes = [
  {
    Component: Layout,
    ErrorBoundary: RouteError,
    HydrateFallback: AppLoading,
    children: [
      publicPage('/', () => import('./features/landing/LandingPage.tsx'), 'LandingPage'),
      publicPage('/auth/login', () => import('./features/auth/LoginPage.tsx'), 'LoginPage'),
      { path: '/login', element: <Navigate to="/auth/login" replace /> },
      publicPage('/auth/register', () => import('./features/auth/RegisterPage.tsx'), 'RegisterPage'),
      publicPage('/auth/forgot-password', () => import('./features/auth/PasswordResetPages.tsx'), 'ForgotPasswordPage'),
      publicPage('/auth/reset-password', () => import('./features/auth/PasswordResetPages.tsx'), 'ResetPasswordPage'),
      publicPage('/auth/confirm-email', () => import('./features/auth/ConfirmEmailPage.tsx'), 'ConfirmEmailPage'),
      publicPage(
        '/auth/accept-invitation',
        () => import('./features/auth/AcceptInvitationPage.tsx'),
        'AcceptInvitationPage',
      ),
      publicPage(
        '/auth/account-deleted',
        () => import('./features/privacy/personal-data/AccountDeletedPage.tsx'),
        'AccountDeletedPage',
      ),
      { path: '/register', element: <Navigate to="/auth/register" replace /> },
      publicPage('/terms', () => import('./features/privacy/legal/TermsPage.tsx'), 'TermsPage'),
      publicPage('/privacy', () => import('./features/privacy/legal/PrivacyPage.tsx'), 'PrivacyPage'),
      teacherRoutes,
      studentRoutes,
      {
        element: <RequireRole roles={['admin']} />,
        children: [
          page('/admin/dashboard', () => import('./features/admin/AdminDashboardPage.tsx'), 'AdminDashboardPage'),
          page('/admin/users', () => import('./features/admin/users/UsersPage.tsx'), 'UsersPage'),
          page('/admin/settings', () => import('./features/admin/settings/SettingsPage.tsx'), 'SettingsPage'),
          page('/admin/settings/model', () => import('./features/llm/SystemLlmPage.tsx'), 'SystemLlmPage'),
          page('/admin/lms', () => import('./features/admin/lms/LmsListPage.tsx'), 'LmsListPage'),
          page('/admin/lms/new', () => import('./features/admin/lms/RegisterLmsPage.tsx'), 'RegisterLmsPage'),
          page('/admin/lms/:platformId', () => import('./features/admin/lms/LmsPage.tsx'), 'LmsPage'),
          page('/admin/audit', () => import('./features/admin/audit/AuditPage.tsx'), 'AuditPage'),
        ],
      },
      page(
        '/test/error-boundaries',
        () => import('./features/admin/test-pages/ErrorBoundariesPage.tsx'),
        'ErrorBoundariesPage',
      ),
      page('/test/websocket', () => import('./features/admin/test-pages/WebsocketPage.tsx'), 'WebsocketPage'),
      { path: '*', Component: NotFoundPage },
    ],
  },
]
