import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'

/** What features that build on rubrics know of an assignment; passed in, so that rubrics import none of them. */
export interface RubricUsage {
  isGrading(assignment: AssignmentDoc): Promise<boolean>
  /** `outdated`: by these versions of the rubric. */
  countGrades(assignmentId: number, versions: number[]): Promise<{ graded: number; outdated: number }>
  /** Null until the PDF has been read. */
  countPagesRead(hash: string): Promise<number | null>
}
