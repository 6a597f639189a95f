import type { Assignment } from '@assay/shared/assignments.ts'
import type { FileStore } from '../../lib/storage/file-store.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { SubmissionDoc } from '../../records/submissions/submission.model.ts'
import type { UploadedPaper } from './uploaded-paper.ts'

/** What features that build on assignments know of them or do when they change. They import this one, so the app passes it in. */
export interface AssignmentHooks {
  /** By the assignment's id; every assignment asked for is in it. */
  countSubmissions(assignments: Pick<AssignmentDoc, '_id' | 'status'>[]): Promise<Map<number, Assignment['counts']>>
  /** Names of the LMSs that open an assignment, by its id. */
  lmsNames(assignmentIds: number[]): Promise<Map<number, string[]>>
  /** Stores the papers of an assignment that is yet to be stored. */
  storeSubmissions(
    assignment: AssignmentDoc,
    papers: UploadedPaper[],
    uploader: { id: number },
    files: FileStore,
    now: Date,
  ): Promise<SubmissionDoc[]>
  deleteSubmissionRows(submissions: Pick<SubmissionDoc, '_id'>[]): Promise<void>
  moveSubmissionsToCourse(assignment: Pick<AssignmentDoc, '_id'>, courseId: number | null): Promise<void>
  /** After a change of dates: for one student, or all. */
  recomputeLateness(assignment: AssignmentDoc, studentId?: number): Promise<void>
  queueReminders(): Promise<void>
  /** Gives each paper the number it is called by while names are hidden. */
  numberAllPapers(assignmentId: number): Promise<void>
}
