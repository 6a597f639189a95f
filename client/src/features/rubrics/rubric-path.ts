export const rubricPath = (assignmentId: number) => `/assignments/${assignmentId}/rubric`

/** With one question open. */
export const rubricQuestionPath = (assignmentId: number, questionId: string) =>
  `${rubricPath(assignmentId)}?${new URLSearchParams({ question: questionId })}`

/** Where there is no rubric yet, one is made at once. `back` is where confirming leads, instead of to the papers. */
export const checkRubricPath = (assignmentId: number, back?: 'choice', chosen: readonly number[] = []) =>
  `${rubricPath(assignmentId)}?${new URLSearchParams({
    create: 'true',
    ...(back ? { for: back, chosen: chosen.join(',') } : {}),
  })}`
