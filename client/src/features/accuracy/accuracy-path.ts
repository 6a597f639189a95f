export const accuracyPath = (assignmentId: number) => `/assignments/${assignmentId}/accuracy`
