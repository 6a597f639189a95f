/** Where a teacher uploads scans of a whole class, and finds those uploaded before. */
export const classScansPath = (assignmentId: number) => `/assignments/${assignmentId}/class-scans`

/** Where the papers of one are looked over. */
export const classScanPath = (assignmentId: number, scanId: number) => `${classScansPath(assignmentId)}/${scanId}`
