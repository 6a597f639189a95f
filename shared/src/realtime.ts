import type { Run } from './runs.ts'
import type { SubmissionRow } from './submissions.ts'

/** What the server tells a signed-in browser over socket.io; each name carries one payload. */
export interface ServerEvents {
  /** A row of an assignment's list changed. */
  submission_changed: (row: SubmissionRow) => void
  run_changed: (run: Run) => void
  /** A run has finished; `message` is a sentence for the teacher. */
  assignment_completion: (event: { assignment_id: number; run_id: number; message: string }) => void
}

/** What a browser asks: rows of one assignment, as long as its screen is open. The reply says whether it may. */
export interface ClientEvents {
  watch_assignment: (assignmentId: number, reply: (allowed: boolean) => void) => void
  leave_assignment: (assignmentId: number) => void
}

export const SOCKET_PATH = '/socket.io'
