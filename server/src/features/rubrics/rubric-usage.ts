import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'

/** What features that build on rubrics know of an assignment; the process hands it down, so that rubrics import none of them. */
export interface RubricUsage {
  /** Whether a run is grading by the rubric. */
  isGrading(assignment: AssignmentDoc): Promise<boolean>
  /** How many submissions have grades, and how many have one by these versions of the rubric. */
  countGrades(assignmentId: number, versions: number[]): Promise<{ graded: number; outdated: number }>
  /** How many pages a stored PDF has; null until it has been read. */
  countPagesRead(hash: string): Promise<number | null>
}
