export const paperPhotosPath = (assignmentId: number) => `/assignments/${assignmentId}/photos`
