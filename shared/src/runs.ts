import { z } from 'zod'
import { BodyId, defineEndpoint, Id, Timestamp } from './http/endpoint.ts'
import { LlmCost } from './llm/llm.ts'
import { RubricProblem } from './rubrics.ts'

/** `failed`: blank or key could not be read; `failure` says why. */
export const RunStatus = z.enum(['preparing', 'reading', 'grading', 'completed', 'stopped', 'failed'])
export type RunStatus = z.infer<typeof RunStatus>

export const RunWait = z.object({
  reason: z.string(),
  /** Until somebody changes settings; else it will pass. */
  needs_settings: z.boolean(),
  since: Timestamp,
  retry_at: Timestamp,
  tries: z.number().int(),
})
export type RunWait = z.infer<typeof RunWait>

/** Counts are submissions. */
export const Run = z.object({
  id: Id,
  assignment_id: Id,
  status: RunStatus,
  total: z.number().int(),
  read: z.number().int(),
  graded: z.number().int(),
  failed: z.number().int(),
  stopped: z.number().int(),
  held: z.number().int().optional(),
  /** In seconds, at the pace so far. */
  seconds_left: z.number().nullable(),
  /** First scores may change once all papers are read. */
  suggesting: z.literal(true).optional(),
  failure: z.string().nullable(),
  waiting: RunWait.nullable(),
  /** Several only where settings were changed meanwhile. */
  graders: z.array(z.string()),
  cost: LlmCost.nullable(),
  started_at: Timestamp,
  finished_at: Timestamp.nullable(),
})
export type Run = z.infer<typeof Run>

export const RunSelection = z.object({
  submission_ids: z.array(BodyId).max(10_000).optional(),
  /** Also what has a grade; a teacher's override stays. */
  force: z.boolean().optional(),
  /** What an earlier rubric graded otherwise, only those questions. */
  outdated: z.boolean().optional(),
  /** By the teacher's decisions so far, what no teacher has looked at. */
  unreviewed: z.boolean().optional(),
})
export type RunSelection = z.infer<typeof RunSelection>

export const processAssignment = defineEndpoint('post', '/assignments/:assignmentId/process', {
  summary: 'Start a run: read and grade the papers without a grade, or the requested ones',
  status: 202,
  body: RunSelection.optional(),
  reply: z.object({ message: z.string(), run_id: Id, queued: z.number().int() }),
})

export const RunEstimate = z.object({
  papers: z.number().int(),
  /** What they hold is guessed. */
  unread: z.number().int(),
  /** Handwritten, or hardly legible to OCR. */
  pages_to_read: z.number().int(),
  /** `offline` costs nothing. */
  grader: z.string(),
  leaves_server: z.boolean(),
  pictures: z.boolean(),
  input_tokens: z.number().int(),
  output_tokens: z.number().int(),
  /** US dollars; null without a price. */
  dollars: z.number().nullable(),
  seconds: z.number(),
  /** US dollars; null without a budget. */
  left_of_budget: z.number().nullable(),
  enough: z.boolean(),
  problems: z.array(RubricProblem),
})
export type RunEstimate = z.infer<typeof RunEstimate>

export const estimateRun = defineEndpoint('post', '/assignments/:assignmentId/process/estimate', {
  summary: 'Estimate the cost and time of a run',
  body: RunSelection.optional(),
  reply: RunEstimate,
})

export const listRuns = defineEndpoint('get', '/assignments/:assignmentId/runs', {
  summary: 'The runs of an assignment, newest first (20 at most)',
  reply: z.array(Run),
})

export const getRun = defineEndpoint('get', '/assignments/:assignmentId/runs/:runId', {
  summary: 'The progress of a run',
  reply: Run,
})

export const stopRun = defineEndpoint('post', '/assignments/:assignmentId/runs/:runId/stop', {
  summary: 'Stop a run; papers already graded stay graded',
  reply: Run,
})

export const retryRun = defineEndpoint('post', '/assignments/:assignmentId/runs/:runId/try-now', {
  summary: 'Retry now, in a run that waits for its LLM',
  reply: Run,
})
