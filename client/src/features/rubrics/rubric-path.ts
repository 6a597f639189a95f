export const rubricPath = (assignmentId: number) => `/assignments/${assignmentId}/rubric`

/** To check it: where there is none yet, it is made at once. `back` is where confirming it leads, in place of the papers. */
export const checkRubricPath = (assignmentId: number, back?: 'choice', chosen: readonly number[] = []) =>
  `${rubricPath(assignmentId)}?${new URLSearchParams({
    create: 'true',
    ...(back ? { for: back, chosen: chosen.join(',') } : {}),
  })}`
