import type { BackgroundWork } from '../../lib/jobs/background-work.ts'
import type { Services } from '../../services.ts'
import { completeInterruptedChanges } from './question-changes.ts'

/** Completes what was interrupted when the last process ended. */
export const questionChanges = ({ log }: Services): BackgroundWork => ({
  jobs: [],
  async resume() {
    const completed = await completeInterruptedChanges()
    if (completed > 0) log.info({ changes: completed }, 'completed decisions that were interrupted')
  },
})
