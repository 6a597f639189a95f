export const classScansPath = (assignmentId: number) => `/assignments/${assignmentId}/class-scans`

export const classScanPath = (assignmentId: number, scanId: number) => `${classScansPath(assignmentId)}/${scanId}`
