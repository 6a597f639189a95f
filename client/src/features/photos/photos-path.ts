/** Where a teacher takes photos of one student's paper. */
export const paperPhotosPath = (assignmentId: number) => `/assignments/${assignmentId}/photos`
