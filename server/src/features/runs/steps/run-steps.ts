import { z } from 'zod'
import type { RunPaperDoc } from '../../../records/grading/run.model.ts'

/** What a run's jobs are about. */
export const RunPayload = z.object({ runId: z.number() })
export const RunPaperPayload = z.object({ runId: z.number(), submissionId: z.number() })
export type RunPaperPayload = z.infer<typeof RunPaperPayload>

/** A run's steps, each a job. Those by a model are done where one has to be asked. */
export const prepareStep = { name: 'prepare-run', payload: RunPayload }
/** In places of its own: a model is asked what stands on a scanned key. */
export const prepareByLlmStep = { name: 'prepare-run-by-model', payload: RunPayload }
export const readStep = { name: 'read-paper', payload: RunPaperPayload }
/** In places of its own: a model is asked what stands on its pages. */
export const readByLlmStep = { name: 'read-paper-by-model', payload: RunPaperPayload }
/** Another paper's answers, for the class alone. */
export const reextractStep = { name: 'lay-again', payload: RunPaperPayload }
export const gradeStep = { name: 'grade-paper', payload: RunPaperPayload }
/** In places of its own: it waits far more than it works. */
export const gradeByLlmStep = { name: 'grade-paper-by-model', payload: RunPaperPayload }

/** The state a paper waits in for a phase's step. */
export const pendingStateOf = { reading: 'waiting', grading: 'read' } as const satisfies Record<
  string,
  RunPaperDoc['state']
>

export const INTERNAL_FAILURE = {
  code: 'grader_failed',
  message:
    'This paper could not be graded because of an error on our side. Press Retry; if it fails again, contact support.',
}
