export const accuracyPath = (assignmentId: number) => `/assignments/${assignmentId}/accuracy`
export const classScansPath = (assignmentId: number) => `/assignments/${assignmentId}/class-scans`

export const classScanPath = (assignmentId: number, scanId: number) => `${classScansPath(assignmentId)}/${scanId}`
export const groupsPath = (assignmentId: number) => `/assignments/${assignmentId}/groups`
export const questionsPath = (assignmentId: number) => `/assignments/${assignmentId}/questions`

export const questionPath = (assignmentId: number, questionId: string) =>
  `${questionsPath(assignmentId)}/${encodeURIComponent(questionId)}`

export const answerPath = (assignmentId: number, questionId: string, submissionId: number) =>
  `${questionPath(assignmentId, questionId)}?answer=${submissionId}`
export const regradesPath = (assignmentId: number) => `/assignments/${assignmentId}/regrades`

export const requestPath = (assignmentId: number, { submission_id }: { submission_id: number }) =>
  `/assignments/${assignmentId}/submissions/${submission_id}`
export const rubricPath = (assignmentId: number) => `/assignments/${assignmentId}/rubric`

export const rubricQuestionPath = (assignmentId: number, questionId: string) =>
  `${rubricPath(assignmentId)}?${new URLSearchParams({ question: questionId })}`

/** Makes a rubric at once where there is none. `back`: where confirming leads. */
export const checkRubricPath = (assignmentId: number, back?: 'choice', chosen: readonly number[] = []) =>
  `${rubricPath(assignmentId)}?${new URLSearchParams({
    create: 'true',
    ...(back ? { for: back, chosen: chosen.join(',') } : {}),
  })}`
export const SCORES_ID = 'scores'

export const scoreRulesPath = (assignmentId: number) => `/assignments/${assignmentId}/settings#${SCORES_ID}`
