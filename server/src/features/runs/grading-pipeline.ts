import type { BackgroundWork } from '../../lib/jobs/background-work.ts'
import type { RunDoc } from '../../records/grading/run.model.ts'
import type { Services } from '../../services.ts'
import { findRunsToResume, releaseEndedRuns } from './run.service.ts'
import { createRunProgress } from './run-progress.ts'
import { gradePaperJobs } from './steps/grade-paper.ts'
import { prepareRunJobs, readPaperJobs, reextractAnswersJobs } from './steps/read-paper.ts'

export interface GradingPipeline extends BackgroundWork {
  start(run: RunDoc): Promise<void>
  resume(): Promise<void>
}

export function createGradingPipeline(services: Services): GradingPipeline {
  const progress = createRunProgress(services)
  return {
    jobs: [
      ...prepareRunJobs(services, progress),
      ...readPaperJobs(services, progress),
      ...reextractAnswersJobs(services, progress),
      ...gradePaperJobs(services, progress),
    ],
    start: (run) => progress.advance(run._id),
    async resume() {
      await releaseEndedRuns(services)
      for (const run of await findRunsToResume(services)) {
        services.log.info({ run: run._id }, 'taking up a run')
        await progress.enqueuePhase(run._id)
      }
    },
  }
}
