import { z } from 'zod'
import { Id } from './http/ids.ts'
import type { Run } from './runs.ts'
import type { SubmissionRow } from './submissions.ts'

/** A run has finished; `message` is a sentence for the teacher. `run_id` is null for a test notification. */
export const AssignmentCompletion = z.object({
  assignment_id: Id,
  run_id: Id.nullable(),
  message: z.string(),
  total: z.number().int(),
  graded: z.number().int(),
  failed: z.number().int(),
})
export type AssignmentCompletion = z.infer<typeof AssignmentCompletion>

export interface ServerEvents {
  /** A row of an assignment's list changed. */
  submission_changed: (row: SubmissionRow) => void
  /** Several rows changed at once: they are to be loaded again. */
  submissions_changed: (event: { assignment_id: number }) => void
  run_changed: (run: Run) => void
  /** People decided or grouped answers to a question; `change_id` is null where a change was undone. */
  question_changed: (event: { assignment_id: number; question_id: string; change_id: number | null }) => void
  lms_scores_changed: (event: { assignment_id: number }) => void
  /** For watchers of the assignment, and for the teacher who started the run, on any page. */
  assignment_completion: (event: AssignmentCompletion) => void
}

/**
 * A browser watches an assignment while its page is open. The reply says whether it may, and for how many ms nothing
 * has changed, so that newer data need no reload.
 */
export interface ClientEvents {
  watch_assignment: (assignmentId: number, reply: (allowed: boolean, unchangedMs?: number) => void) => void
  leave_assignment: (assignmentId: number) => void
}

export const SOCKET_PATH = '/socket.io'

/** How often our client reconnects after a connection was lost, waiting 1 s, then twice as long each time. */
export const MAX_RECONNECTS = 5
export const RECONNECT_DELAY_MS = 1000
export const PING_INTERVAL_MS = 30_000

/** The raw websockets, for clients without socket.io; below the server's address. The token is the query's `token`. */
export const completionSocketPath = (userId: number) => `/api/v1/ws/assignment-completion/${userId}`
export const PING_SOCKET_PATH = '/api/v1/ws/test/ping'

/** What either side of a raw websocket sends: one JSON object a message. */
export const SocketMessage = z.object({ type: z.string().min(1).max(100), data: z.unknown().optional() })
export type SocketMessage = z.infer<typeof SocketMessage>
