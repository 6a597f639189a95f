export const regradesPath = (assignmentId: number) => `/assignments/${assignmentId}/regrades`

export const requestPath = (assignmentId: number, { submission_id }: { submission_id: number }) =>
  `/assignments/${assignmentId}/submissions/${submission_id}`
