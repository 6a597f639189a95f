/** Where an assignment is graded by question. */
export const questionsPath = (assignmentId: number) => `/assignments/${assignmentId}/questions`

export const questionPath = (assignmentId: number, questionId: string) =>
  `${questionsPath(assignmentId)}/${encodeURIComponent(questionId)}`
