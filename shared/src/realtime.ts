import { z } from 'zod'
import { Id } from './http/endpoint.ts'
import type { Run } from './runs.ts'
import type { SubmissionRow } from './submissions.ts'

/** `run_id` is null for a test notification. */
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
  submission_changed: (row: SubmissionRow) => void
  submissions_changed: (event: { assignment_id: number }) => void
  run_changed: (run: Run) => void
  question_changed: (event: { assignment_id: number; question_id: string; change_id: number | null }) => void
  lms_scores_changed: (event: { assignment_id: number }) => void
  /** For watchers of the assignment, and the teacher who started the run, on any page. */
  assignment_completion: (event: AssignmentCompletion) => void
}

/** Says whether it may watch, and for how many ms nothing has changed, so that newer data need no reload. */
export interface ClientEvents {
  watch_assignment: (assignmentId: number, reply: (allowed: boolean, unchangedMs?: number) => void) => void
  leave_assignment: (assignmentId: number) => void
}

export const SOCKET_PATH = '/socket.io'
/** After 1 s, then twice as long each time. */
export const MAX_RECONNECTS = 5
export const RECONNECT_DELAY_MS = 1000
export const PING_INTERVAL_MS = 30_000

/** Raw websockets, below the server's address, with `?token=`. */
export const completionSocketPath = (userId: number) => `/api/v1/ws/assignment-completion/${userId}`
export const PING_SOCKET_PATH = '/api/v1/ws/test/ping'

export const SocketMessage = z.object({ type: z.string().min(1).max(100), data: z.unknown().optional() })
export type SocketMessage = z.infer<typeof SocketMessage>
