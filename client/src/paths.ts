export const lmsPath = (platformId: number) => `/admin/lms/${platformId}`

type CoursePart = 'analytics' | 'edit' | 'gradebook' | 'model' | 'roster'

export const coursePath = (courseId: number, part?: CoursePart) => `/courses/${courseId}${part ? `/${part}` : ''}`

export const accuracyPath = (assignmentId: number) => `/assignments/${assignmentId}/accuracy`
export const assignmentSettingsPath = (assignmentId: number) => `/assignments/${assignmentId}/settings`
export const SCORES_ID = 'scores'
export const scoreRulesPath = (assignmentId: number) => `${assignmentSettingsPath(assignmentId)}#${SCORES_ID}`
export const groupsPath = (assignmentId: number) => `/assignments/${assignmentId}/groups`
export const photosPath = (assignmentId: number) => `/assignments/${assignmentId}/photos`
export const regradesPath = (assignmentId: number) => `/assignments/${assignmentId}/regrades`
export const similarityPath = (assignmentId: number) => `/assignments/${assignmentId}/similarity`

export const classScansPath = (assignmentId: number) => `/assignments/${assignmentId}/class-scans`
export const classScanPath = (assignmentId: number, scanId: number) => `${classScansPath(assignmentId)}/${scanId}`

export const questionsPath = (assignmentId: number) => `/assignments/${assignmentId}/questions`

export const questionPath = (assignmentId: number, questionId: string) =>
  `${questionsPath(assignmentId)}/${encodeURIComponent(questionId)}`

export const answerPath = (assignmentId: number, questionId: string, submissionId: number) =>
  `${questionPath(assignmentId, questionId)}?answer=${submissionId}`

export const rubricPath = (assignmentId: number) => `/assignments/${assignmentId}/rubric`

export const rubricQuestionPath = (assignmentId: number, questionId: string) =>
  `${rubricPath(assignmentId)}?${new URLSearchParams({ question: questionId })}`

/** Makes a rubric at once where there is none. `back`: where confirming leads. */
export const checkRubricPath = (assignmentId: number, back?: 'choice', chosen: readonly number[] = []) =>
  `${rubricPath(assignmentId)}?${new URLSearchParams({
    create: 'true',
    ...(back ? { for: back, chosen: chosen.join(',') } : {}),
  })}`

export const submissionsPath = (assignmentId: number) => `/assignments/${assignmentId}/submissions`
export const matchPath = (assignmentId: number) => `${submissionsPath(assignmentId)}/match`

export const submissionPath = (assignmentId: number, submissionId: number) =>
  `${submissionsPath(assignmentId)}/${submissionId}`

export const studentCoursePath = (courseId: number) => `/student/courses/${courseId}`
export const studentCourseGradesPath = (courseId: number) => `${studentCoursePath(courseId)}/grades`
export const studentAssignmentPath = (assignmentId: number) => `/student/assignments/${assignmentId}`
