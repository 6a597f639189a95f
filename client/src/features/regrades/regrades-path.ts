export const regradesPath = (assignmentId: number) => `/assignments/${assignmentId}/regrades`

/** The paper a request is about; it opens at the criterion. */
export const requestPath = (assignmentId: number, { submission_id }: { submission_id: number }) =>
  `/assignments/${assignmentId}/submissions/${submission_id}`
