import { LlmError } from '../../../grader/llm/errors/llm-error.ts'
import { DeferJob } from '../../../lib/jobs/job.ts'
import { RunPaperModel, runPaperId } from '../../../records/grading/run.model.ts'
import { findRunPaper, hasOtherPaperInState } from '../run-papers.ts'
import { pendingStateOf, type RunPaperPayload } from './run-steps.ts'

const MAX_TIMEOUTS = 3

/**
 * Whether an LLM grades every paper but this one: its request timed out three times, and each time others had been graded
 * since, or there were none left. Such a paper would make its run wait for ever. Called for each failure; counts timeouts.
 */
export async function hasRepeatedTimeouts({ runId, submissionId }: RunPaperPayload, error: unknown): Promise<boolean> {
  const cause = error instanceof DeferJob ? error.cause : null
  if (!(cause instanceof LlmError) || cause.code !== 'timeout') return false
  const [paper, graded, others] = await Promise.all([
    findRunPaper(runId, submissionId),
    RunPaperModel.countDocuments({ run_id: runId, state: 'graded' }),
    hasOtherPaperInState(runId, submissionId, pendingStateOf.grading),
  ])
  const before = paper?.trouble
  const counts = !before || graded > before.graded || !others
  const times = (before?.times ?? 0) + (counts ? 1 : 0)
  await RunPaperModel.updateOne({ _id: runPaperId(runId, submissionId) }, { $set: { trouble: { times, graded } } })
  return times >= MAX_TIMEOUTS
}
