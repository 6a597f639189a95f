/** Where a teacher checks how far the grader’s suggestions can be trusted. */
export const accuracyPath = (assignmentId: number) => `/assignments/${assignmentId}/accuracy`
