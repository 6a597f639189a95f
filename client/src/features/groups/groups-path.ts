export const groupsPath = (assignmentId: number) => `/assignments/${assignmentId}/groups`
