import { ModelTrouble } from '../../grader/model/model-trouble.ts'
import { TryLater } from '../../lib/jobs.ts'
import { RunPaperModel, runPaperId } from './run.model.ts'
import { anyOtherPaper, findRunPaper } from './run-papers.ts'
import { type OfPaper, openIn } from './run-steps.ts'

const TIMES = 3

/**
 * Whether a model gets done with every paper but this one: it ran out of time over it three times, and each time others had gone through
 * since, or there were none left. Such a paper would have its run wait for ever. Called for each failure; counts those of time.
 */
export async function isStuck({ runId, submissionId }: OfPaper, error: unknown): Promise<boolean> {
  const trouble = error instanceof TryLater ? error.cause : null
  if (!(trouble instanceof ModelTrouble) || trouble.code !== 'timeout') return false
  const [paper, graded, others] = await Promise.all([
    findRunPaper(runId, submissionId),
    RunPaperModel.countDocuments({ run_id: runId, state: 'graded' }),
    anyOtherPaper(runId, submissionId, openIn.grading),
  ])
  const before = paper?.trouble
  const counts = !before || graded > before.graded || !others
  const times = (before?.times ?? 0) + (counts ? 1 : 0)
  await RunPaperModel.updateOne(
    { _id: runPaperId(runId, submissionId) },
    { $set: { trouble: { times, graded } } },
  )
  return times >= TIMES
}
