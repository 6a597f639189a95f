import type { Job } from '../../lib/jobs.ts'
import type { Services } from '../../services.ts'
import { gradePaperJobs } from './grade-paper.ts'
import { layAgainJob } from './lay-again-job.ts'
import { prepareRunJobs } from './prepare-run.ts'
import { readPaperJobs } from './read-paper.ts'
import type { RunDoc } from './run.model.ts'
import { letGoOfEndedRuns, runsToResume } from './run.service.ts'
import { createRunProgress } from './run-progress.ts'

/** A run from its first job to its last: prepare, read each paper, grade each paper. */
export interface Grading {
  jobs: Job[]
  /** Begins a run that has just been stored. */
  begin(run: RunDoc): Promise<void>
  /** Takes up what an earlier process left in the middle. */
  resume(): Promise<void>
}

export function createGrading(services: Services): Grading {
  const progress = createRunProgress(services)
  return {
    jobs: [
      ...prepareRunJobs(services, progress),
      ...readPaperJobs(services, progress),
      layAgainJob(services, progress),
      ...gradePaperJobs(services, progress),
    ],
    begin: (run) => progress.advance(run._id),
    async resume() {
      await letGoOfEndedRuns(services)
      for (const run of await runsToResume(services)) {
        services.log.info({ run: run._id }, 'taking up a run')
        await progress.carryOn(run._id)
      }
    },
  }
}
