import type { Launched, Role, TestData } from './test-data.ts'

/** One path of `router.tsx`, and the roles that may see it. */
export interface Screen {
  name: string
  /** Its contact sheet. */
  sheet: 'public' | 'teacher' | 'student' | 'admin'
  path: (world: TestData) => string
  /** The kind of LMS launch, for paths of a launch. */
  launch?: Launched
  roles: Role[]
  /** Path and account for the empty state; absent if there is none. */
  empty?: { role: Role; path?: (world: TestData) => string }
  /** False for screens without requests, which have no loading and failed states. */
  loads?: boolean
}

const at = (path: string) => () => path
const teachers: Role[] = ['instructor', 'admin']

/** All screens. A test compares this list with the router. */
export const screens: Screen[] = [
  { name: 'landing', sheet: 'public', path: at('/'), roles: ['visitor', 'instructor'], loads: false },
  { name: 'login', sheet: 'public', path: at('/auth/login'), roles: ['visitor'], loads: false },
  { name: 'register', sheet: 'public', path: at('/auth/register'), roles: ['visitor'], loads: false },
  {
    name: 'forgot-password',
    sheet: 'public',
    path: at('/auth/forgot-password'),
    roles: ['visitor'],
    loads: false,
  },
  {
    name: 'reset-password',
    sheet: 'public',
    path: ({ links }) => `/auth/reset-password?token=${links.reset}&email=newstudent%40school.example`,
    roles: ['visitor'],
    loads: false,
    empty: { role: 'visitor', path: at('/auth/reset-password') },
  },
  {
    name: 'confirm-email',
    sheet: 'public',
    path: ({ links }) => `/auth/confirm-email?token=${links.confirm}`,
    roles: ['visitor'],
    loads: false,
    empty: { role: 'visitor', path: at('/auth/confirm-email') },
  },
  {
    name: 'accept-invitation',
    sheet: 'public',
    path: ({ links }) => `/auth/accept-invitation?token=${links.invitation}`,
    roles: ['visitor'],
    loads: false,
    empty: { role: 'visitor', path: at('/auth/accept-invitation') },
  },
  {
    name: 'account-deleted',
    sheet: 'public',
    path: at('/auth/account-deleted'),
    roles: ['visitor'],
    loads: false,
  },
  { name: 'terms', sheet: 'public', path: at('/terms'), roles: ['visitor'], loads: false },
  { name: 'privacy', sheet: 'public', path: at('/privacy'), roles: ['visitor'], loads: false },
  { name: 'not-found', sheet: 'public', path: at('/no/such/page'), roles: ['visitor'], loads: false },

  {
    name: 'dashboard',
    sheet: 'teacher',
    path: at('/dashboard'),
    roles: teachers,
    empty: { role: 'new instructor' },
  },
  { name: 'create-assignment', sheet: 'teacher', path: at('/create-assignment'), roles: teachers },
  {
    name: 'courses',
    sheet: 'teacher',
    path: at('/courses'),
    roles: teachers,
    empty: { role: 'new instructor' },
  },
  { name: 'create-course', sheet: 'teacher', path: at('/courses/create'), roles: teachers, loads: false },
  {
    name: 'course',
    sheet: 'teacher',
    path: ({ courseId }) => `/courses/${courseId}`,
    roles: teachers,
    empty: { role: 'beginner', path: ({ emptyCourseId }) => `/courses/${emptyCourseId}` },
  },
  {
    name: 'edit-course',
    sheet: 'teacher',
    path: ({ courseId }) => `/courses/${courseId}/edit`,
    roles: teachers,
  },
  {
    name: 'analytics',
    sheet: 'teacher',
    path: ({ courseId }) => `/courses/${courseId}/analytics`,
    roles: teachers,
    empty: { role: 'beginner', path: ({ emptyCourseId }) => `/courses/${emptyCourseId}/analytics` },
  },
  {
    name: 'course-model',
    sheet: 'teacher',
    path: ({ courseId }) => `/courses/${courseId}/model`,
    roles: teachers,
  },
  {
    name: 'roster',
    sheet: 'teacher',
    path: ({ courseId }) => `/courses/${courseId}/roster`,
    roles: teachers,
    empty: { role: 'beginner', path: ({ emptyCourseId }) => `/courses/${emptyCourseId}/roster` },
  },
  {
    name: 'submissions',
    sheet: 'teacher',
    path: ({ assignmentId }) => `/assignments/${assignmentId}/submissions`,
    roles: teachers,
    empty: {
      role: 'beginner',
      path: ({ emptyAssignmentId }) => `/assignments/${emptyAssignmentId}/submissions`,
    },
  },
  {
    name: 'rubric',
    sheet: 'teacher',
    path: ({ assignmentId }) => `/assignments/${assignmentId}/rubric`,
    roles: teachers,
    empty: { role: 'beginner', path: ({ emptyAssignmentId }) => `/assignments/${emptyAssignmentId}/rubric` },
  },
  {
    name: 'questions',
    sheet: 'teacher',
    path: ({ assignmentId }) => `/assignments/${assignmentId}/questions`,
    roles: teachers,
    empty: { role: 'beginner', path: ({ emptyAssignmentId }) => `/assignments/${emptyAssignmentId}/questions` },
  },
  {
    name: 'question',
    sheet: 'teacher',
    path: ({ assignmentId }) => `/assignments/${assignmentId}/questions/q1`,
    roles: teachers,
  },
  {
    name: 'accuracy',
    sheet: 'teacher',
    path: ({ assignmentId }) => `/assignments/${assignmentId}/accuracy`,
    roles: teachers,
    empty: { role: 'beginner', path: ({ emptyAssignmentId }) => `/assignments/${emptyAssignmentId}/accuracy` },
  },
  {
    name: 'accuracy-marking',
    sheet: 'teacher',
    path: ({ checkingId }) => `/assignments/${checkingId}/accuracy`,
    roles: teachers,
  },
  {
    name: 'accuracy-result',
    sheet: 'teacher',
    path: ({ checkedId }) => `/assignments/${checkedId}/accuracy`,
    roles: teachers,
  },
  {
    name: 'similarity',
    sheet: 'teacher',
    path: ({ releasedId }) => `/assignments/${releasedId}/similarity`,
    roles: teachers,
    empty: { role: 'instructor', path: ({ assignmentId }) => `/assignments/${assignmentId}/similarity` },
  },
  {
    name: 'class-scans',
    sheet: 'teacher',
    path: ({ draftId }) => `/assignments/${draftId}/class-scans`,
    roles: teachers,
  },
  {
    name: 'regrades',
    sheet: 'teacher',
    path: ({ releasedId }) => `/assignments/${releasedId}/regrades`,
    roles: teachers,
    empty: { role: 'beginner', path: ({ emptyAssignmentId }) => `/assignments/${emptyAssignmentId}/regrades` },
  },
  {
    name: 'match-papers',
    sheet: 'teacher',
    path: ({ draftId }) => `/assignments/${draftId}/submissions/match`,
    roles: teachers,
    empty: {
      role: 'beginner',
      path: ({ emptyAssignmentId }) => `/assignments/${emptyAssignmentId}/submissions/match`,
    },
  },
  {
    name: 'review',
    sheet: 'teacher',
    path: ({ assignmentId, submissionId }) => `/assignments/${assignmentId}/submissions/${submissionId}`,
    roles: teachers,
    empty: {
      role: 'instructor',
      path: ({ draftId, ungradedSubmissionId }) => `/assignments/${draftId}/submissions/${ungradedSubmissionId}`,
    },
  },
  {
    name: 'review-regrade-open',
    sheet: 'teacher',
    path: ({ releasedId, requestedSubmissionId }) => `/assignments/${releasedId}/submissions/${requestedSubmissionId}`,
    roles: ['instructor'],
  },
  {
    name: 'review-regrade-answered',
    sheet: 'teacher',
    path: ({ releasedId, answeredSubmissionId }) => `/assignments/${releasedId}/submissions/${answeredSubmissionId}`,
    roles: ['instructor'],
  },
  {
    name: 'submissions-adjusted',
    sheet: 'teacher',
    path: ({ releasedId }) => `/assignments/${releasedId}/submissions`,
    roles: ['instructor'],
  },
  {
    name: 'score-rules',
    sheet: 'teacher',
    path: ({ releasedId }) => `/assignments/${releasedId}/settings#scores`,
    roles: ['instructor'],
  },
  {
    name: 'assignment-settings',
    sheet: 'teacher',
    path: ({ assignmentId }) => `/assignments/${assignmentId}/settings`,
    roles: teachers,
  },
  {
    name: 'lms-set-up',
    sheet: 'teacher',
    path: at('/lti/set-up'),
    launch: 'setting up',
    roles: ['instructor'],
  },
  {
    name: 'lms-choose',
    sheet: 'teacher',
    path: at('/lti/choose'),
    launch: 'choosing',
    roles: ['instructor'],
  },
  { name: 'instructor-profile', sheet: 'teacher', path: at('/instructor/profile'), roles: teachers },

  {
    name: 'student-dashboard',
    sheet: 'student',
    path: at('/student/dashboard'),
    roles: ['student'],
    empty: { role: 'new student' },
  },
  {
    name: 'student-courses',
    sheet: 'student',
    path: at('/student/courses'),
    roles: ['student'],
    empty: { role: 'new student' },
  },
  {
    name: 'join-course',
    sheet: 'student',
    path: at('/student/join-course'),
    roles: ['student'],
    loads: false,
  },
  {
    name: 'student-grades',
    sheet: 'student',
    path: at('/student/grades'),
    roles: ['student'],
    empty: { role: 'new student' },
  },
  {
    name: 'student-course',
    sheet: 'student',
    path: ({ courseId }) => `/student/courses/${courseId}`,
    roles: ['student'],
    empty: { role: 'new student', path: ({ courseId }) => `/student/courses/${courseId}` },
  },
  {
    name: 'student-course-grades',
    sheet: 'student',
    path: ({ courseId }) => `/student/courses/${courseId}/grades`,
    roles: ['student'],
  },
  {
    name: 'student-assignment',
    sheet: 'student',
    path: ({ studentAssignmentId }) => `/student/assignments/${studentAssignmentId}`,
    roles: ['student'],
  },
  {
    name: 'student-assignment-late',
    sheet: 'student',
    path: ({ releasedId }) => `/student/assignments/${releasedId}`,
    roles: ['student'],
  },
  {
    name: 'lms-waiting',
    sheet: 'student',
    path: at('/lti/waiting'),
    launch: 'waiting',
    roles: ['student'],
    loads: false,
  },
  {
    name: 'lms-no-role',
    sheet: 'student',
    path: at('/lti/no-role'),
    launch: 'no role',
    roles: ['student'],
    loads: false,
  },
  {
    name: 'lms-account',
    sheet: 'student',
    path: at('/lti/account'),
    launch: 'waiting',
    roles: ['student'],
    loads: false,
  },
  {
    name: 'lms-profile',
    sheet: 'student',
    path: at('/student/profile'),
    launch: 'waiting',
    roles: ['student'],
  },
  { name: 'student-profile', sheet: 'student', path: at('/student/profile'), roles: ['student'] },

  { name: 'admin-dashboard', sheet: 'admin', path: at('/admin/dashboard'), roles: ['admin'] },
  { name: 'admin-users', sheet: 'admin', path: at('/admin/users'), roles: ['admin'] },
  { name: 'admin-settings', sheet: 'admin', path: at('/admin/settings'), roles: ['admin'] },
  { name: 'admin-model', sheet: 'admin', path: at('/admin/settings/model'), roles: ['admin'] },
  { name: 'admin-lms', sheet: 'admin', path: at('/admin/lms'), roles: ['admin'] },
  {
    name: 'admin-lms-new-link',
    sheet: 'admin',
    path: at('/admin/lms/new?lms=moodle'),
    roles: ['admin'],
    empty: { role: 'admin', path: at('/admin/lms/new') },
  },
  {
    name: 'admin-lms-new-values',
    sheet: 'admin',
    path: at('/admin/lms/new?lms=canvas&way=values'),
    roles: ['admin'],
  },
  {
    name: 'admin-lms-one',
    sheet: 'admin',
    path: ({ platformId }) => `/admin/lms/${platformId}`,
    roles: ['admin'],
    empty: { role: 'admin', path: ({ waitingPlatformId }) => `/admin/lms/${waitingPlatformId}` },
  },
  { name: 'admin-audit', sheet: 'admin', path: at('/admin/audit'), roles: ['admin'] },
  {
    name: 'test-error-boundaries',
    sheet: 'admin',
    path: at('/test/error-boundaries'),
    roles: ['admin'],
    loads: false,
  },
  { name: 'test-websocket', sheet: 'admin', path: at('/test/websocket'), roles: ['admin'], loads: false },
]
