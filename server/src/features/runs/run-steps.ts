import { z } from 'zod'
import type { RunPaperDoc } from './run.model.ts'

/** What a run's jobs are about. */
export const OfRun = z.object({ runId: z.number() })
export const OfPaper = z.object({ runId: z.number(), submissionId: z.number() })
export type OfPaper = z.infer<typeof OfPaper>

/** A run's steps, each a job. Those by a model are done where one has to be asked. */
export const prepareStep = { name: 'prepare-run', payload: OfRun }
/** In places of its own: a model is asked what stands on a scanned key. */
export const prepareByModelStep = { name: 'prepare-run-by-model', payload: OfRun }
export const readStep = { name: 'read-paper', payload: OfPaper }
/** In places of its own: a model is asked what stands on its pages. */
export const readByModelStep = { name: 'read-paper-by-model', payload: OfPaper }
/** Another paper's answers, for the class alone. */
export const layAgainStep = { name: 'lay-again', payload: OfPaper }
export const gradeStep = { name: 'grade-paper', payload: OfPaper }
/** In places of its own: it waits far more than it works. */
export const gradeByModelStep = { name: 'grade-paper-by-model', payload: OfPaper }

/** The state a paper waits in for a phase's step. */
export const openIn = { reading: 'waiting', grading: 'read' } as const satisfies Record<
  string,
  RunPaperDoc['state']
>

export const BROKEN = {
  code: 'grader_failed',
  message:
    'This paper could not be graded because of an error on our side. Press Retry; if it fails again, contact support.',
}
