export const rubricPath = (assignmentId: number) => `/assignments/${assignmentId}/rubric`

export const rubricQuestionPath = (assignmentId: number, questionId: string) =>
  `${rubricPath(assignmentId)}?${new URLSearchParams({ question: questionId })}`

/** Makes a rubric at once where there is none. `back`: where confirming leads. */
export const checkRubricPath = (assignmentId: number, back?: 'choice', chosen: readonly number[] = []) =>
  `${rubricPath(assignmentId)}?${new URLSearchParams({
    create: 'true',
    ...(back ? { for: back, chosen: chosen.join(',') } : {}),
  })}`
