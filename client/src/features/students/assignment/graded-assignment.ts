import type { StudentAssignmentDetails } from '@assay/shared/students.ts'

export type GradedAssignment = StudentAssignmentDetails & { submission_id: number }
