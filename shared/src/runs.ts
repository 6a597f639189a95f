import { z } from 'zod'
import { defineEndpoint } from './http/endpoint.ts'
import { BodyId, Id, Timestamp } from './http/ids.ts'
import { RubricProblem } from './rubrics.ts'
import { teachingRoles } from './users.ts'

/** `failed`: the blank or the key could not be read, so that nothing could be graded; `failure` says why. */
export const RunStatus = z.enum(['preparing', 'reading', 'grading', 'completed', 'stopped', 'failed'])
export type RunStatus = z.infer<typeof RunStatus>

/** Why a run cannot go on for now. It goes on by itself. */
export const RunWait = z.object({
  reason: z.string(),
  /** Whether it waits until somebody changes settings; else it will pass. */
  needs_settings: z.boolean(),
  since: Timestamp,
  retry_at: Timestamp,
  tries: z.number().int(),
})
export type RunWait = z.infer<typeof RunWait>

export const RunCost = z.object({
  calls: z.number().int(),
  input_tokens: z.number().int(),
  output_tokens: z.number().int(),
  /** US dollars; null without a price. */
  dollars: z.number().nullable(),
  /** Calls abandoned while the LLM was responding: the most they may have cost is in `dollars`. */
  estimated: z.number().int(),
})

/** One “Process & Grade”. Counts are submissions; `read` counts those whose papers have been read. */
export const Run = z.object({
  id: Id,
  assignment_id: Id,
  status: RunStatus,
  total: z.number().int(),
  read: z.number().int(),
  graded: z.number().int(),
  failed: z.number().int(),
  stopped: z.number().int(),
  /** Not graded, as a teacher has to look at them first; omitted if there are none. */
  held: z.number().int().optional(),
  /** Estimated from the pace so far, in seconds; null while there is none. */
  seconds_left: z.number().nullable(),
  /** Papers read so far have first scores, which may change once all are read; omitted if not. */
  suggesting: z.literal(true).optional(),
  failure: z.string().nullable(),
  /** While no model answers: what is waited for. */
  waiting: RunWait.nullable(),
  /** In the order they first graded: more than one only where settings were changed meanwhile. */
  graders: z.array(z.string()),
  /** Null when no model was asked. */
  cost: RunCost.nullable(),
  started_at: Timestamp,
  finished_at: Timestamp.nullable(),
})
export type Run = z.infer<typeof Run>

/** What is to be graded; nothing said: what has no grade. */
export const RunSelection = z.object({
  submission_ids: z.array(BodyId).max(10_000).optional(),
  /** Grade again what has a grade already; a teacher's override stays. */
  force: z.boolean().optional(),
  /** Grade again what an earlier rubric graded otherwise, and of each paper only those questions. */
  outdated: z.boolean().optional(),
  /** Grade again, by the teacher's decisions so far, what has a grade that no teacher has looked at. */
  unreviewed: z.boolean().optional(),
})
export type RunSelection = z.infer<typeof RunSelection>

export const processAssignment = defineEndpoint('post', '/assignments/:assignmentId/process', {
  summary: 'Start a run: read and grade the papers without a grade, or the requested ones',
  access: teachingRoles,
  status: 202,
  body: RunSelection.optional(),
  reply: z.object({ message: z.string(), run_id: Id, queued: z.number().int() }),
})

/** What a run would come to, beforehand. */
export const RunEstimate = z.object({
  papers: z.number().int(),
  /** Of those, how many have not been read yet: what they hold is guessed. */
  unread: z.number().int(),
  /** Handwritten pages, and those OCR could hardly read, that the LLM is asked to read before it grades. */
  pages_to_read: z.number().int(),
  /** `offline` asks nobody and costs nothing. */
  grader: z.string(),
  leaves_server: z.boolean(),
  /** Whether pages go along as pictures where that is needed. */
  pictures: z.boolean(),
  input_tokens: z.number().int(),
  output_tokens: z.number().int(),
  /** US dollars; null without a price. */
  dollars: z.number().nullable(),
  seconds: z.number(),
  /** US dollars left this month; null when there is no budget. */
  left_of_budget: z.number().nullable(),
  /** True when nobody can tell. */
  enough: z.boolean(),
  problems: z.array(RubricProblem),
})
export type RunEstimate = z.infer<typeof RunEstimate>

export const estimateRun = defineEndpoint('post', '/assignments/:assignmentId/process/estimate', {
  summary: 'Estimate the cost and time of a run',
  access: teachingRoles,
  body: RunSelection.optional(),
  reply: RunEstimate,
})

export const listRuns = defineEndpoint('get', '/assignments/:assignmentId/runs', {
  summary: 'The runs of an assignment, newest first (20 at most)',
  access: teachingRoles,
  reply: z.array(Run),
})

export const getRun = defineEndpoint('get', '/assignments/:assignmentId/runs/:runId', {
  summary: 'The progress of a run',
  access: teachingRoles,
  reply: Run,
})

export const stopRun = defineEndpoint('post', '/assignments/:assignmentId/runs/:runId/stop', {
  summary: 'Stop a run; papers already graded stay graded',
  access: teachingRoles,
  reply: Run,
})

export const retryRun = defineEndpoint('post', '/assignments/:assignmentId/runs/:runId/try-now', {
  summary: 'Retry now, in a run that waits for its LLM',
  access: teachingRoles,
  reply: Run,
})
