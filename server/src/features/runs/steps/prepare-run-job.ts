import { LlmError } from '../../../grader/llm/errors/llm-error.ts'
import { DeferJob, type Job } from '../../../lib/jobs/job.ts'
import { RunModel } from '../../../records/grading/run.model.ts'
import type { Services } from '../../../services.ts'
import { findAssignment } from '../../assignments/assignment.service.ts'
import { matchSubmissions } from '../../matches/match-submissions.ts'
import { ensureRubric, RubricUnavailableError, readBlankAndKey } from '../../rubrics/assignment-rubric.ts'
import { findRun, isBeingPlanned, notifyRunChanged } from '../run.service.ts'
import { addPapersToRun } from '../run-papers.ts'
import type { RunProgress } from '../run-progress.ts'
import { runOrWait } from './llm-wait.ts'
import { defineRunStep } from './run-step.ts'
import { prepareStep } from './run-steps.ts'

const PLANNING_RETRY_MS = 1_000

/** Ensures there is a rubric. Changes pools where an LLM has to read blank or key for one. */
export function prepareRunJobs(services: Services, progress: RunProgress): Job[] {
  return defineRunStep(
    {
      jobs: prepareStep,
      async find({ runId }: { runId: number }) {
        const run = await findRun(runId)
        if (run && isBeingPlanned(run, services)) throw new DeferJob(PLANNING_RETRY_MS, 'the run is being started')
        const assignment = run?.status === 'preparing' ? await findAssignment(run.assignment_id) : null
        return run && assignment && { run, assignment }
      },
      async run({ run, assignment }, { pool, signal }) {
        if (pool === 'cpu') {
          await matchSubmissions(assignment, services)
          await addPapersToRun(run, services)
          await notifyRunChanged(run, services)
          if (!assignment.rubric) {
            const { untranscribed } = await readBlankAndKey(assignment, services, signal, null)
            if (untranscribed.length > 0) return 'llm'
          }
        }
        const llmAccess = pool === 'llm' ? { context: { run_id: run._id } } : null
        await runOrWait(run, services, () => ensureRubric(assignment, services, signal, llmAccess))
        await RunModel.updateOne({ _id: run._id, status: 'preparing' }, { $set: { status: 'reading' } })
        return null
      },
      expected: [RubricUnavailableError, LlmError],
      async fail({ runId }, { message }) {
        const run = await findRun(runId)
        if (run) progress.scheduleEnd(run, 'failed', message)
      },
      proceed: progress.enqueuePhase,
    },
    services,
    progress,
  )
}
