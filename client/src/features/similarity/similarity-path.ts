export const similarityPath = (assignmentId: number) => `/assignments/${assignmentId}/similarity`
