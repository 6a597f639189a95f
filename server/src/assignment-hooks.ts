import type { AssignmentHooks } from './features/assignments/assignment-hooks.ts'
import { lmsNamesOfAssignments } from './features/lti/scores/score-targets.ts'
import { moveSubmissionsToCourse } from './features/matches/move-submissions-to-course.ts'
import { queueReminders } from './features/reminders/reminder-job.ts'
import { datesChanged } from './features/score-rules/released-scores-job.ts'
import { numberAllPapers } from './features/submissions/paper-numbers.ts'
import { recomputeLateness } from './features/submissions/recompute-lateness.ts'
import { countSubmissions, deleteSubmissionRows, storeSubmissions } from './features/submissions/submission.service.ts'
import type { Services } from './services.ts'

export const createAssignmentHooks = (services: Services): AssignmentHooks => ({
  countSubmissions,
  lmsNames: lmsNamesOfAssignments,
  storeSubmissions,
  deleteSubmissionRows,
  moveSubmissionsToCourse,
  recomputeLateness: async (assignment, studentId) => {
    await recomputeLateness(assignment, studentId)
    await datesChanged(assignment, services)
  },
  numberAllPapers,
  queueReminders: () => queueReminders(services),
})
