export const questionsPath = (assignmentId: number) => `/assignments/${assignmentId}/questions`

export const questionPath = (assignmentId: number, questionId: string) =>
  `${questionsPath(assignmentId)}/${encodeURIComponent(questionId)}`

export const answerPath = (assignmentId: number, questionId: string, submissionId: number) =>
  `${questionPath(assignmentId, questionId)}?answer=${submissionId}`
