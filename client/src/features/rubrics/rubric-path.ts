export const rubricPath = (assignmentId: number) => `/assignments/${assignmentId}/rubric`

/** Where there is no rubric yet, one is made at once. `back` is where confirming leads, instead of to the papers. */
export const checkRubricPath = (assignmentId: number, back?: 'choice', chosen: readonly number[] = []) =>
  `${rubricPath(assignmentId)}?${new URLSearchParams({
    create: 'true',
    ...(back ? { for: back, chosen: chosen.join(',') } : {}),
  })}`
