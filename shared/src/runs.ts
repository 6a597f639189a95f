import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { BodyId, Id, Timestamp } from './ids.ts'
import { teaching } from './users.ts'

/** `failed`: the blank or the key could not be read, so that nothing could be graded; `failure` says why. */
export const RunStatus = z.enum(['preparing', 'reading', 'grading', 'completed', 'stopped', 'failed'])
export type RunStatus = z.infer<typeof RunStatus>

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
  /** Estimated from the pace so far, in seconds; null while there is none. */
  seconds_left: z.number().nullable(),
  failure: z.string().nullable(),
  started_at: Timestamp,
  finished_at: Timestamp.nullable(),
})
export type Run = z.infer<typeof Run>

const assignmentId = z.object({ assignmentId: Id })
const runId = assignmentId.extend({ runId: Id })

export const processAssignment = defineEndpoint({
  method: 'post',
  path: '/assignments/:assignmentId/process',
  summary: 'Read and grade the papers that have no grade yet, or those asked for',
  access: teaching,
  status: 202,
  params: assignmentId,
  body: z
    .object({
      submission_ids: z.array(BodyId).max(10_000).optional(),
      /** Grade again what has a grade already; a teacher's override stays. */
      force: z.boolean().optional(),
    })
    .optional(),
  reply: z.object({ message: z.string(), run_id: Id, queued: z.number().int() }),
})

export const listRuns = defineEndpoint({
  method: 'get',
  path: '/assignments/:assignmentId/runs',
  summary: 'The runs of an assignment, newest first (20 at most)',
  access: teaching,
  params: assignmentId,
  reply: z.array(Run),
})

export const getRun = defineEndpoint({
  method: 'get',
  path: '/assignments/:assignmentId/runs/:runId',
  summary: 'How far a run has come',
  access: teaching,
  params: runId,
  reply: Run,
})

export const stopRun = defineEndpoint({
  method: 'post',
  path: '/assignments/:assignmentId/runs/:runId/stop',
  summary: 'Stop a run; what is graded stays graded',
  access: teaching,
  params: runId,
  reply: Run,
})
