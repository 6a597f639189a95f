/** Where an assignment is graded by question. */
export const questionsPath = (assignmentId: number) => `/assignments/${assignmentId}/questions`

export const questionPath = (assignmentId: number, questionId: string) =>
  `${questionsPath(assignmentId)}/${encodeURIComponent(questionId)}`

/** One answer of a question. */
export const answerPath = (assignmentId: number, questionId: string, submissionId: number) =>
  `${questionPath(assignmentId, questionId)}?answer=${submissionId}`
