import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { Services } from '../../services.ts'
import { notifyReleased } from '../grades/release-notification.ts'

/** Others see it, students are mailed, like answers get new suggestions. */
export type AfterDecision = (assignment: AssignmentDoc, questionId: string, changeId: number | null) => Promise<void>

type Notifying = Pick<Services, 'events'>

export function notifyQuestionChanged(
  { _id: assignmentId }: AssignmentDoc,
  questionId: string,
  changeId: number | null,
  { events }: Notifying,
): void {
  events.emit('question_changed', {
    assignmentId,
    payload: { assignment_id: assignmentId, question_id: questionId, change_id: changeId },
  })
}

export const createAfterDecision =
  (
    services: Services,
    carryDecisions: (assignment: AssignmentDoc, questionId: string) => Promise<void>,
  ): AfterDecision =>
  async (assignment, questionId, changeId) => {
    notifyQuestionChanged(assignment, questionId, changeId, services)
    // Students whose grade this released and who were not mailed about it.
    await notifyReleased(assignment, null, services)
    await carryDecisions(assignment, questionId)
  }
