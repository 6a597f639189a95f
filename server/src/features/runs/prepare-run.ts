import { ModelTrouble } from '../../grader/model/model-trouble.ts'
import { defineJob, type Job } from '../../lib/jobs.ts'
import type { Services } from '../../services.ts'
import { findAssignment } from '../assignments/assignment.service.ts'
import { shareOf } from '../model/places.ts'
import { matchAgain } from '../submissions/match-papers.ts'
import type { GradesBy } from './grader-for.ts'
import { orWait } from './model-wait.ts'
import { NoRubric, readBlankAndKey, rubricOf } from './rubric-of-assignment.ts'
import { RunModel } from './run.model.ts'
import { findRun, runGroup, tellRunChanged } from './run.service.ts'
import { enterPapers } from './run-papers.ts'
import type { RunProgress } from './run-progress.ts'
import { BROKEN, prepareByModelStep, prepareStep } from './run-steps.ts'

/**
 * Enters a run's papers and sees to it that there is a rubric to grade them by. Where it is still to be made, and a model has to read
 * the blank or the key for it, that is done by a second job, in the lane for what waits.
 */
export function prepareRunJobs(services: Services, progress: RunProgress): Job<typeof prepareStep.payload>[] {
  async function prepare(runId: number, lane: GradesBy['lane'], signal: AbortSignal): Promise<void> {
    const run = await findRun(runId)
    if (run?.status !== 'preparing') return progress.carryOn(runId)
    const assignment = await findAssignment(run.assignment_id)
    if (!assignment) return
    if (lane === 'work') {
      await matchAgain(assignment, services)
      await enterPapers(run, services)
      await tellRunChanged(run, services)
    }
    try {
      if (lane === 'work' && !assignment.rubric) {
        const { unread } = await readBlankAndKey(assignment, services, signal, null)
        const share = shareOf(assignment.course_id)
        const row = { key: `${runId}`, group: runGroup(runId), payload: { runId }, share }
        if (unread.length > 0) return await services.jobs.add(prepareByModelStep, [row])
      }
      const asking = lane === 'model' ? { about: { run_id: runId } } : null
      await orWait(run, services, () => rubricOf(assignment, services, signal, asking))
    } catch (error) {
      if (error instanceof NoRubric) return progress.endLater(run, 'failed', error.message)
      if (error instanceof ModelTrouble && error.scope === 'budget')
        return progress.endLater(run, 'stopped', error.message)
      throw error
    }
    await RunModel.updateOne({ _id: run._id, status: 'preparing' }, { $set: { status: 'reading' } })
    await progress.carryOn(run._id)
  }

  const jobIn = (lane: GradesBy['lane']) =>
    defineJob({
      ...(lane === 'model' ? prepareByModelStep : prepareStep),
      lane,
      attempts: 3,
      run: ({ runId }, signal) => prepare(runId, lane, signal),
      async onGivenUp({ runId }) {
        const run = await findRun(runId)
        if (run) progress.endLater(run, 'failed', BROKEN.message)
      },
    })
  return [jobIn('work'), jobIn('model')]
}
