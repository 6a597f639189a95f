import { z } from 'zod'
import type { NewJob } from '../../../lib/jobs/job.ts'
import { type RunPaperDoc, runPaperId } from '../../../records/grading/run.model.ts'
import { fairShareKey } from '../../llm/concurrency-limits.ts'
import { runGroup } from '../run.service.ts'

const RunPayload = z.object({ runId: z.number() })
const RunPaperPayload = z.object({ runId: z.number(), submissionId: z.number() })
export type RunPayload = z.infer<typeof RunPayload>
export type RunPaperPayload = z.infer<typeof RunPaperPayload>

/** LLM requests mostly wait, so they have a pool of their own. */
export type GradingPool = 'cpu' | 'llm'

/** Each with a job in every pool it may be done in. */
export const prepareStep = {
  cpu: { name: 'prepare-run', payload: RunPayload },
  llm: { name: 'prepare-run-by-llm', payload: RunPayload },
}
export const readStep = {
  cpu: { name: 'read-paper', payload: RunPaperPayload },
  llm: { name: 'read-paper-by-llm', payload: RunPaperPayload },
}
/** For papers outside the run, whose answers the class is compared with. */
export const reextractStep = { cpu: { name: 'reextract-answers', payload: RunPaperPayload } }
export const gradeStep = {
  cpu: { name: 'grade-paper', payload: RunPaperPayload },
  llm: { name: 'grade-paper-by-llm', payload: RunPaperPayload },
}

/** Rows with a course share the LLM's pool fairly between courses. */
export function stepRow(
  ids: RunPayload & Partial<RunPaperPayload>,
  { course_id }: { course_id?: number | null } = {},
): NewJob {
  const { runId, submissionId } = ids
  return {
    key: submissionId === undefined ? `${runId}` : runPaperId(runId, submissionId),
    group: runGroup(runId),
    payload: ids,
    ...(course_id === undefined ? {} : { fairShareKey: fairShareKey(course_id) }),
  }
}

export const pendingStateOf = { reading: 'waiting', grading: 'read' } as const satisfies Record<
  string,
  RunPaperDoc['state']
>
