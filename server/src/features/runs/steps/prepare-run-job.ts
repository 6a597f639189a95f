import { LlmError } from '../../../grader/llm/llm-error.ts'
import { defineJob, type Job } from '../../../lib/jobs/job.ts'
import { RunModel } from '../../../records/grading/run.model.ts'
import type { Services } from '../../../services.ts'
import { findAssignment } from '../../assignments/assignment.service.ts'
import { fairShareKey } from '../../llm/concurrency-limits.ts'
import { rematchSubmissions } from '../../matches/match-submissions.ts'
import { ensureRubric, RubricUnavailableError, readBlankAndKey } from '../../rubrics/assignment-rubric.ts'
import type { SelectedGrader } from '../context/select-grader.ts'
import { findRun, notifyRunChanged, runGroup } from '../run.service.ts'
import { addPapersToRun } from '../run-papers.ts'
import type { RunProgress } from '../run-progress.ts'
import { runOrWait } from './llm-wait.ts'
import { INTERNAL_FAILURE, prepareByLlmStep, prepareStep } from './run-steps.ts'

/**
 * Enters a run's papers and sees to it that there is a rubric to grade them by. Where it is still to be made, and a model has to read
 * the blank or the key for it, that is done by a second job, in the lane for what waits.
 */
export function prepareRunJobs(services: Services, progress: RunProgress): Job<typeof prepareStep.payload>[] {
  async function prepare(runId: number, lane: SelectedGrader['lane'], signal: AbortSignal): Promise<void> {
    const run = await findRun(runId)
    if (run?.status !== 'preparing') return progress.carryOn(runId)
    const assignment = await findAssignment(run.assignment_id)
    if (!assignment) return
    if (lane === 'cpu') {
      await rematchSubmissions(assignment, services)
      await addPapersToRun(run, services)
      await notifyRunChanged(run, services)
    }
    try {
      if (lane === 'cpu' && !assignment.rubric) {
        const { unread } = await readBlankAndKey(assignment, services, signal, null)
        const share = fairShareKey(assignment.course_id)
        const row = { key: `${runId}`, group: runGroup(runId), payload: { runId }, fairShareKey: share }
        if (unread.length > 0) return await services.jobs.add(prepareByLlmStep, [row])
      }
      const asking = lane === 'llm' ? { about: { run_id: runId } } : null
      await runOrWait(run, services, () => ensureRubric(assignment, services, signal, asking))
    } catch (error) {
      if (error instanceof RubricUnavailableError) return progress.endLater(run, 'failed', error.message)
      if (error instanceof LlmError && error.scope === 'budget') return progress.endLater(run, 'stopped', error.message)
      throw error
    }
    await RunModel.updateOne({ _id: run._id, status: 'preparing' }, { $set: { status: 'reading' } })
    await progress.carryOn(run._id)
  }

  const jobInPool = (lane: SelectedGrader['lane']) =>
    defineJob({
      ...(lane === 'llm' ? prepareByLlmStep : prepareStep),
      pool: lane,
      attempts: 3,
      run: ({ runId }, signal) => prepare(runId, lane, signal),
      async onFailed({ runId }) {
        const run = await findRun(runId)
        if (run) progress.endLater(run, 'failed', INTERNAL_FAILURE.message)
      },
    })
  return [jobInPool('cpu'), jobInPool('llm')]
}
