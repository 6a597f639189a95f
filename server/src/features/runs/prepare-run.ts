import { defineJob, type Job } from '../../lib/jobs.ts'
import type { Services } from '../../services.ts'
import { findAssignment } from '../assignments/assignment.service.ts'
import { matchAgain } from '../submissions/match-papers.ts'
import { NoRubric, rubricOf } from './rubric-of-assignment.ts'
import { RunModel } from './run.model.ts'
import { findRun, tellRunChanged } from './run.service.ts'
import { enterPapers } from './run-papers.ts'
import type { RunProgress } from './run-progress.ts'
import { BROKEN, prepareStep } from './run-steps.ts'

/** Enters a run's papers and sees to it that there is a rubric to grade them by. */
export function prepareRunJob(services: Services, progress: RunProgress): Job<typeof prepareStep.payload> {
  return defineJob({
    ...prepareStep,
    attempts: 3,
    async run({ runId }, signal) {
      const run = await findRun(runId)
      if (run?.status !== 'preparing') return progress.carryOn(runId)
      const assignment = await findAssignment(run.assignment_id)
      if (!assignment) return
      await matchAgain(assignment, services)
      await enterPapers(run, services)
      await tellRunChanged(run, services)
      try {
        await rubricOf(assignment, services, signal)
      } catch (error) {
        if (!(error instanceof NoRubric)) throw error
        return progress.endLater(run, 'failed', error.message)
      }
      await RunModel.updateOne({ _id: run._id, status: 'preparing' }, { $set: { status: 'reading' } })
      await progress.carryOn(run._id)
    },
    async onGivenUp({ runId }) {
      const run = await findRun(runId)
      if (run) progress.endLater(run, 'failed', BROKEN.message)
    },
  })
}
