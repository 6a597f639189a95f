/** Where a teacher sees which papers of an assignment are unusually alike. */
export const similarityPath = (assignmentId: number) => `/assignments/${assignmentId}/similarity`
