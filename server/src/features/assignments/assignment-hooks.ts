import type { Assignment } from '@assay/shared/assignments.ts'
import type { FileStore } from '../../lib/storage/file-store.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { SubmissionDoc } from '../../records/submissions/submission.model.ts'
import type { UploadedPaper } from './uploaded-paper.ts'

/** What assignments need of features that import this one, passed in by the app. */
export interface AssignmentHooks {
  /** Has an entry for every assignment asked for. */
  countSubmissions(assignments: Pick<AssignmentDoc, '_id' | 'status'>[]): Promise<Map<number, Assignment['counts']>>
  lmsNames(assignmentIds: number[]): Promise<Map<number, string[]>>
  /** The assignment is stored after them. */
  storeSubmissions(
    assignment: AssignmentDoc,
    papers: UploadedPaper[],
    uploader: { id: number },
    files: FileStore,
    now: Date,
  ): Promise<SubmissionDoc[]>
  deleteSubmissionRows(submissions: Pick<SubmissionDoc, '_id'>[]): Promise<void>
  moveSubmissionsToCourse(assignment: Pick<AssignmentDoc, '_id'>, courseId: number | null): Promise<void>
  /** For one student, or all. */
  recomputeLateness(assignment: AssignmentDoc, studentId?: number): Promise<void>
  queueReminders(): Promise<void>
  numberAllPapers(assignmentId: number): Promise<void>
}
