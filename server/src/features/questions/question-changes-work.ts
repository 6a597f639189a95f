import type { BackgroundWork } from '../../lib/jobs/background-work.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { Services } from '../../services.ts'
import { completeInterruptedChanges } from './question-changes.ts'

/** Completes what was interrupted when the last process ended, and carries it to like answers. */
export const questionChanges = (
  { log }: Pick<Services, 'log'>,
  carryDecisions: (assignment: AssignmentDoc, questionId: string) => Promise<void>,
): BackgroundWork => ({
  jobs: [],
  async resume() {
    const completed = await completeInterruptedChanges(log)
    for (const { assignment, questionId } of completed) await carryDecisions(assignment, questionId)
    if (completed.length > 0) log.info({ changes: completed.length }, 'completed decisions that were interrupted')
  },
})
