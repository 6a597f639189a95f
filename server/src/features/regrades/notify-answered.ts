import type { BackgroundWork } from '../../lib/jobs/background-work.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { Services } from '../../services.ts'
import { markToldOtherwise } from '../grades/release-notification.ts'
import { notifyQuestionChanged } from '../questions/projection-job.ts'
import { notifySubmissionChanged } from '../submissions/submission.events.ts'
import { type AnsweredRegrade, completeInterruptedAnswers } from './answer-regrade.ts'
import { mailStudent } from './regrade.mails.ts'

export type CarryDecisions = (assignment: AssignmentDoc, questionId: string) => Promise<void>

/** Graders on screen, the student by mail, and the grader where points were changed. */
export async function notifyAnswered(
  assignment: AssignmentDoc,
  { request, submission, changed }: AnsweredRegrade,
  services: Services,
  carryDecisions: CarryDecisions,
): Promise<void> {
  await notifySubmissionChanged(submission, services)
  await mailStudent(request, assignment, services)
  if (!changed) return
  notifyQuestionChanged(assignment, changed.questionId, changed.changeId, services)
  // An earlier change that nobody has told the student of still has its own mail.
  if (changed.alone) await markToldOtherwise(submission)
  await carryDecisions(assignment, changed.questionId)
}

/** Completes answers that were interrupted when the last process ended. */
export const regradeAnswers = (services: Services, carryDecisions: CarryDecisions): BackgroundWork => ({
  jobs: [],
  async resume() {
    const { log } = services
    const failed = (error: unknown, { _id }: { _id: number }) =>
      log.warn({ err: error, regrade: _id }, 'an interrupted answer to a regrade request could not be completed')
    const completed = await completeInterruptedAnswers(failed)
    for (const { assignment, ...answered } of completed)
      await notifyAnswered(assignment, answered, services, carryDecisions)
    if (completed.length > 0) log.info({ answers: completed.length }, 'completed answers to regrade requests')
  },
})
